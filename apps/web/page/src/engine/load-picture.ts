// Files of any type that the browser or the library knows, as pixels.
import type { Tessera } from 'tessera-wasm';
import { sizeFromHeader, type Size } from './image-size';
import type { PixelBlock } from './protocol';

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

async function decodeWithBrowser(blob: Blob, name: string): Promise<PixelBlock> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none' });
  } catch {
    throw new Error(`${name} is not a picture that this browser can read.`);
  }
  const { width, height } = bitmap;
  refuseTooLarge({ width, height }, name);
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser gives workers no canvas to read pictures with.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { data: new Uint8Array(data.buffer), width, height };
}

async function decodeWithLibrary(library: Tessera, blob: Blob): Promise<PixelBlock> {
  const { data, width, height } = await library.decode(await blob.arrayBuffer());
  return { data: new Uint8Array(data.buffer as ArrayBuffer), width, height };
}

/** Pixels of a picture, or of a texture that Tessera reads. Errors are whole sentences. */
export async function loadPicture(library: Tessera, blob: Blob, name: string): Promise<PixelBlock> {
  if (blob.size === 0) throw new Error(`${name} is empty.`);
  if (blob.size > maxFileBytes) {
    throw new Error(`${name} has more than ${maxFileBytes / 1e6} MB, which this page does not read.`);
  }
  const header = new Uint8Array(await blob.slice(0, headerBytes).arrayBuffer());
  if (texturesOfTheLibrary.some((magic) => startsWith(header, magic))) {
    return decodeWithLibrary(library, blob);
  }
  const size = sizeFromHeader(header);
  if (size) refuseTooLarge(size, name);
  return decodeWithBrowser(blob, name);
}

export function hasTransparency({ data }: PixelBlock): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true;
  return false;
}
