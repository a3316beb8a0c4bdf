// Textures made in pieces, so that a large picture never holds up the page for long.
import type { PixelBlock } from '../engine/protocol';

const bytesAtOnce = 2 << 20;

/** Lets the browser do what is waiting: input, painting. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}

export function newTexture(gl: WebGL2RenderingContext): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

/** A lost context has no limits; what it is given is drawn by the one that takes its place. */
function fits(gl: WebGL2RenderingContext, width: number, height: number): boolean {
  return gl.isContextLost() || Math.max(width, height) <= Number(gl.getParameter(gl.MAX_TEXTURE_SIZE));
}

/** Whether a driver did all it was asked for since the last call; a lost context is told elsewhere. */
function succeeded(gl: WebGL2RenderingContext): boolean {
  const error = gl.getError();
  return error === gl.NO_ERROR || error === gl.CONTEXT_LOST_WEBGL;
}

/** Null where the driver refuses a texture of this size. */
export async function uploadPixels(gl: WebGL2RenderingContext, pixels: PixelBlock): Promise<WebGLTexture | null> {
  const { data, width, height } = pixels;
  if (!fits(gl, width, height)) return null;
  gl.getError(); // of what was before
  const texture = newTexture(gl);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
  const rowsAtOnce = Math.max(1, Math.floor(bytesAtOnce / (width * 4)));
  for (let y = 0; y < height; y += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - y);
    const part = data.subarray(y * width * 4, (y + rows) * width * 4);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, y, width, rows, gl.RGBA, gl.UNSIGNED_BYTE, part);
    if (y + rows < height) await nextTask();
  }
  return checked(gl, texture);
}

function checked(gl: WebGL2RenderingContext, texture: WebGLTexture): WebGLTexture | null {
  if (succeeded(gl)) return texture;
  gl.deleteTexture(texture);
  return null;
}

export interface BlockUpload {
  blocks: Uint8Array;
  width: number;
  height: number;
  blockWidth: number;
  blockHeight: number;
  /** The context's number of the format. */
  number: number;
  wholeBlocks: boolean;
}

/** Textures of ASTC may end within a block; WebGL takes BC1 by whole blocks alone, whose texels beyond
 *  the picture are never fetched. Null where the driver refuses the texture. */
export async function uploadBlocks(gl: WebGL2RenderingContext, upload: BlockUpload): Promise<WebGLTexture | null> {
  const { blocks, blockWidth, blockHeight, number, wholeBlocks } = upload;
  const down = Math.ceil(upload.height / blockHeight);
  const width = wholeBlocks ? Math.ceil(upload.width / blockWidth) * blockWidth : upload.width;
  const height = wholeBlocks ? down * blockHeight : upload.height;
  if (!fits(gl, width, height)) return null;
  const rowBytes = blocks.length / down;
  gl.getError(); // of what was before
  const texture = newTexture(gl);
  gl.texStorage2D(gl.TEXTURE_2D, 1, number, width, height);
  // Drivers without units for a format expand it when it arrives, which is many times its size.
  const rowsAtOnce = Math.max(1, Math.floor(bytesAtOnce / 8 / rowBytes));
  for (let row = 0; row < down; row += rowsAtOnce) {
    const endRow = Math.min(row + rowsAtOnce, down);
    const y = row * blockHeight;
    const rows = Math.min(endRow * blockHeight, height) - y;
    const part = blocks.subarray(row * rowBytes, endRow * rowBytes);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, 0, y, width, rows, number, part);
    if (endRow < down) await nextTask();
  }
  return checked(gl, texture);
}
