// Files of any type that the browser or the library knows, as pixels.
import type { Tessera } from 'tessera-wasm';
import { sizeFromHeader, type Size } from './image-size';
import type { PixelBlock } from './protocol';
import { readThroughCanvas, readThroughTexture } from './read-bitmap';
import { abortError } from '../rpc';

const maxSide = 8192;
const maxPixels = 32e6;
const maxFileBytes = 256e6;
/** A JPEG may carry a long preview before its size. */
const headerBytes = 256 * 1024;

const texturesOfTheLibrary = [
  [0x13, 0xab, 0xa1, 0x5c], // .astc
  [0xab, 0x4b, 0x54, 0x58], // .ktx2
  [0x44, 0x44, 0x53, 0x20], // .dds
  [0x54, 0x53, 0x46], // .tsf
];

function refuseTooLarge(size: Size, name: string): void {
  if (size.width <= maxSide && size.height <= maxSide && size.width * size.height <= maxPixels) return;
  throw new Error(
    `${name} has ${size.width.toLocaleString('en')} × ${size.height.toLocaleString('en')} pixels; ` +
      `this page takes up to ${maxSide.toLocaleString('en')} on a side and ${maxPixels / 1e6} million in all.`,
  );
}

function startsWith(bytes: Uint8Array, magic: number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

async function decodedBitmap(blob: Blob, name: string, premultiplyAlpha: PremultiplyAlpha) {
  try {
    return await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha });
  } catch {
    throw new Error(`${name} is not a picture that this browser can read.`);
  }
}

/** Large pictures take long: a call that was given up meanwhile ends before the next step. */
function stopIfGivenUp(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

async function decodeWithBrowser(blob: Blob, name: string, signal: AbortSignal): Promise<PixelBlock> {
  const pixels = await readDecoded(blob, name, 'default', signal, readThroughCanvas);
  if (!hasTransparency(pixels)) return pixels;
  return (await readDecoded(blob, name, 'none', signal, readThroughTexture)) ?? pixels;
}

async function readDecoded<T>(
  blob: Blob,
  name: string,
  premultiplyAlpha: PremultiplyAlpha,
  signal: AbortSignal,
  read: (bitmap: ImageBitmap) => T,
): Promise<T> {
  const bitmap = await decodedBitmap(blob, name, premultiplyAlpha);
  try {
    stopIfGivenUp(signal);
    refuseTooLarge(bitmap, name);
    return read(bitmap);
  } finally {
    bitmap.close();
  }
}

async function decodeWithLibrary(library: Tessera, blob: Blob, signal: AbortSignal): Promise<PixelBlock> {
  const { data, width, height } = await library.decode(await blob.arrayBuffer(), { signal });
  return { data: new Uint8Array(data.buffer as ArrayBuffer), width, height };
}

/** Pixels of a picture, or of a texture that Tessera reads. Errors are whole sentences. */
export async function loadPicture(
  library: Tessera,
  blob: Blob,
  name: string,
  signal: AbortSignal,
): Promise<PixelBlock> {
  if (blob.size === 0) throw new Error(`${name} is empty.`);
  if (blob.size > maxFileBytes) {
    throw new Error(`${name} has more than ${maxFileBytes / 1e6} MB, which this page does not read.`);
  }
  const header = new Uint8Array(await blob.slice(0, headerBytes).arrayBuffer());
  const size = sizeFromHeader(header);
  if (size) refuseTooLarge(size, name);
  stopIfGivenUp(signal);
  const isTexture = texturesOfTheLibrary.some((magic) => startsWith(header, magic));
  return isTexture ? decodeWithLibrary(library, blob, signal) : decodeWithBrowser(blob, name, signal);
}

export function hasTransparency({ data }: PixelBlock): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true;
  return false;
}
