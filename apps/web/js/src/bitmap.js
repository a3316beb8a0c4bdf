// Pixels of an ImageBitmap. It may hold colours multiplied by their alpha or not, as whoever made it
// asked for, and does not tell which.
import { TesseraError, failedError } from './errors.js';

export function readBitmap(bitmap) {
  const throughCanvas = readThroughCanvas(bitmap);
  if (isOpaque(throughCanvas)) return throughCanvas;
  const throughTexture = readThroughTexture(bitmap);
  if (!throughTexture || isMultiplied(throughTexture, throughCanvas)) return throughCanvas;
  return throughTexture;
}

/** A canvas keeps colours multiplied by their alpha, so those of transparent pixels lose digits. */
function readThroughCanvas(bitmap) {
  const { width, height } = bitmap;
  if (typeof OffscreenCanvas === 'undefined') {
    throw new TesseraError(
      'unsupported',
      'An ImageBitmap is read through an OffscreenCanvas, which there is none of here: give { data, width, height } instead.',
    );
  }
  try {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('there is no canvas of this size');
    context.drawImage(bitmap, 0, 0);
    return new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
  } catch (error) {
    // Browsers have limits of their own for sides and areas of a canvas.
    throw failedError(`An ImageBitmap of ${width} x ${height} pixels cannot be read through a canvas here: ${error.message}.`);
  }
}

function isOpaque(pixels) {
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] !== 255) return false;
  return true;
}

/** What the bitmap holds, as it is; null where there is no WebGL 2, or none for pictures of this size. */
function readThroughTexture(bitmap) {
  const { width, height } = bitmap;
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!gl || Math.max(width, height) > Number(gl.getParameter(gl.MAX_TEXTURE_SIZE))) return null;
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const failed = gl.getError() !== gl.NO_ERROR || gl.isContextLost();
  // Contexts are few; this one is not waited for until it is collected.
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return failed ? null : pixels;
}

/** Whether `held` is nearer to the colours of `plain` multiplied by their alpha than to themselves. */
function isMultiplied(held, plain) {
  let fromPlain = 0;
  let fromProduct = 0;
  for (let i = 0; i < held.length; i += 4) {
    const alpha = plain[i + 3];
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = i; channel < i + 3; ++channel) {
      fromPlain += Math.abs(held[channel] - plain[channel]);
      fromProduct += Math.abs(held[channel] - (plain[channel] * alpha) / 255);
    }
  }
  return fromProduct < fromPlain;
}
