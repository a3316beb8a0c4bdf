// The texels of one block before and after, and how far they are apart.
import type { PixelBlock } from './protocol';

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

function cut(from: PixelBlock, rect: Rect): PixelBlock {
  const width = Math.min(rect.width, from.width - rect.x);
  const height = Math.min(rect.height, from.height - rect.y);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; ++y) {
    const start = ((rect.y + y) * from.width + rect.x) * 4;
    data.set(from.data.subarray(start, start + width * 4), y * width * 4);
  }
  return { data, width, height };
}

export function compareTexels(picture: PixelBlock, decoded: PixelBlock, rect: Rect) {
  const original = cut(picture, rect);
  const result = cut(decoded, rect);
  let squares = 0;
  let maxError = 0;
  original.data.forEach((value, i) => {
    const difference = Math.abs(value - result.data[i]!);
    maxError = Math.max(maxError, difference);
    if (i % 4 !== 3) squares += difference * difference;
  });
  const mean = squares / ((original.data.length / 4) * 3);
  return { original, result, maxError, psnrRgb: mean > 0 ? 10 * Math.log10((255 * 255) / mean) : Infinity };
}
