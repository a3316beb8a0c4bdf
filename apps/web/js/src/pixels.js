// Pictures and bytes as callers give them, checked and copied.
import { readBitmap } from './bitmap.js';
import { TesseraError, usageError } from './errors.js';

// The library's limits: sides of 2^24 pixels, and what a 32-bit address can reach.
const mostSide = 2 ** 24;
const mostBytes = 2 ** 31 - 1;

export function checkSize(width, height) {
  for (const side of [width, height]) {
    if (!Number.isInteger(side) || side < 1) {
      throw usageError(`A picture has whole numbers of at least 1 as sides, not ${width} x ${height}.`);
    }
  }
  if (width > mostSide || height > mostSide || width * height * 4 > mostBytes) {
    throw new TesseraError(
      'invalid',
      `A picture of ${width} x ${height} pixels is too large to hold in memory.`,
    );
  }
}

/** A copy of the picture's bytes, with its size. */
export function copyPixels(source) {
  const picture = readPixels(source);
  const { pixels, isOurs } = picture;
  return isOurs ? picture : { ...picture, pixels: allocate(pixels.length, (copy) => copy.set(pixels)) };
}

/** The picture's bytes, with its size: the caller's own, unless `isOurs`. */
export function readPixels(source) {
  if (source === null || typeof source !== 'object') {
    throw usageError('A picture is an ImageData, an ImageBitmap or { data, width, height }.');
  }
  const { width, height } = source;
  checkSize(width, height);
  if (typeof ImageBitmap !== 'undefined' && source instanceof ImageBitmap) {
    return { pixels: readBitmap(source), width, height, isOurs: true };
  }
  const { data } = source;
  if (!(data instanceof Uint8Array) && !(data instanceof Uint8ClampedArray)) {
    throw usageError('The data of a picture is a Uint8Array or a Uint8ClampedArray.');
  }
  if (data.length !== width * height * 4) {
    throw usageError(
      `A picture of ${width} x ${height} pixels has ${width * height * 4} bytes, not ${data.length}.`,
    );
  }
  return { pixels: data, width, height, isOurs: false };
}

/** A new array; too little memory becomes a sentence. */
export function allocate(byteLength, fill = () => {}) {
  try {
    const array = new Uint8Array(byteLength);
    fill(array);
    return array;
  } catch (error) {
    if (error instanceof RangeError) {
      throw new TesseraError('failed', `There is not enough memory for ${byteLength} bytes.`);
    }
    throw error;
  }
}

/** A copy of a file's bytes. */
export function copyBytes(bytes) {
  if (!(bytes instanceof Uint8Array) && !(bytes instanceof ArrayBuffer)) {
    throw usageError('The bytes of a file are a Uint8Array or an ArrayBuffer.');
  }
  const view = new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, bytes.byteLength);
  if (view.length === 0) throw new TesseraError('invalid', 'The file is empty.');
  return allocate(view.length, (copy) => copy.set(view));
}

/** "6x5" as numbers. */
export function parseBlock(text) {
  const match = /^(\d{1,2})x(\d{1,2})$/.exec(text);
  if (!match) throw usageError(`'${text}' is not a block size such as 6x6.`);
  return [Number(match[1]), Number(match[2])];
}
