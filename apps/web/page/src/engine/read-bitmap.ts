// Pixels of a picture that the browser has decoded.
import type { PixelBlock } from './protocol';

/** Exact where nothing is transparent: a canvas keeps colours multiplied by their alpha. */
export function readThroughCanvas(bitmap: ImageBitmap): PixelBlock {
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser gives workers no canvas to read pictures with.');
  context.drawImage(bitmap, 0, 0);
  return { data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer), width, height };
}

/** Exact for transparent pixels, too, where `bitmap` was made without multiplying; null where there is
 *  no WebGL 2, or none for pictures of this size. */
export function readThroughTexture(bitmap: ImageBitmap): PixelBlock | null {
  const { width, height } = bitmap;
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!gl || Math.max(width, height) > Number(gl.getParameter(gl.MAX_TEXTURE_SIZE))) return null;
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture;
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const data = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
  const failed = gl.getError() !== gl.NO_ERROR || gl.isContextLost();
  // Contexts are few; this one is not waited for until it is collected.
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return failed ? null : { data, width, height };
}
