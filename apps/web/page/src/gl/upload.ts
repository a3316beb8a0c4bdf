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

export async function uploadPixels(gl: WebGL2RenderingContext, pixels: PixelBlock): Promise<WebGLTexture> {
  const { data, width, height } = pixels;
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
  return texture;
}

export interface BlockUpload {
  blocks: Uint8Array;
  width: number;
  height: number;
  blockWidth: number;
  blockHeight: number;
  /** The context's number of the format. */
  number: number;
}

/** The texture covers whole blocks: WebGL takes BC1 in no other size, and texels beyond the picture
 *  are never fetched. */
export async function uploadBlocks(gl: WebGL2RenderingContext, upload: BlockUpload): Promise<WebGLTexture> {
  const { blocks, width, height, blockWidth, blockHeight, number } = upload;
  const across = Math.ceil(width / blockWidth);
  const down = Math.ceil(height / blockHeight);
  const rowBytes = blocks.length / down;
  const texture = newTexture(gl);
  gl.texStorage2D(gl.TEXTURE_2D, 1, number, across * blockWidth, down * blockHeight);
  // Drivers without units for a format expand it when it arrives, which is many times its size.
  const rowsAtOnce = Math.max(1, Math.floor(bytesAtOnce / 8 / rowBytes));
  for (let row = 0; row < down; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, down - row);
    const part = blocks.subarray(row * rowBytes, (row + rows) * rowBytes);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.compressedTexSubImage2D(
      gl.TEXTURE_2D, 0, 0, row * blockHeight, across * blockWidth, rows * blockHeight, number, part,
    ); // prettier-ignore
    if (row + rows < down) await nextTask();
  }
  return texture;
}
