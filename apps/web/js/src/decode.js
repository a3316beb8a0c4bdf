// What a file is, and its pixels.
import { optionText } from './engine.js';
import { TesseraError, usageError } from './errors.js';
import { allocate, checkSize } from './pixels.js';
import { progressOf } from './progress.js';
import { cutLevel, runStrips } from './strips.js';

// Decoding is quick, so strips are long.
const mostBlocks = 65536;

/** What the bytes are. They are a copy of the caller's, which goes to a worker and back. */
export async function describeBytes(pool, given, raw, profile, signal) {
  let task = { bytes: given };
  if (raw) {
    checkSize(raw.width, raw.height);
    const options = optionText({ format: raw.format, block: raw.block, profile });
    task = { bytes: given, raw: { options, width: raw.width, height: raw.height } };
  }
  const { info, bytes: back } = await pool.run('describe', task, { signal, transfer: [given.buffer] });
  if (raw && back.length !== info.levels[0].byteLength) {
    throw usageError(
      `The blocks of this picture take ${info.levels[0].byteLength} bytes, and there are ${back.length}.`,
    );
  }
  return { info, bytes: back };
}

export function levelOf(info, number) {
  const level = info.levels[number];
  if (!level) {
    throw usageError(`The file has ${info.levels.length} mip levels, so there is no level ${number}.`);
  }
  return level;
}

/** The facts of a file that callers see. */
export function publicInfo({ format, container, profile, width, height, blockWidth, blockHeight, levels }) {
  return { format, container, profile, width, height, blockWidth, blockHeight, levels };
}

export async function decodeBytes(pool, given, options) {
  const start = performance.now();
  const { signal, raw, level = 0 } = options;
  const onProgress = progressOf(options.onProgress);
  const { info, bytes } = await describeBytes(pool, given, raw, options.profile, signal);
  const decoded =
    info.format === 'fractal'
      ? await decodeWhole(pool, bytes, options, onProgress)
      : await decodeLevel(pool, bytes, info, levelOf(info, level), options, onProgress);
  onProgress(1);
  return { ...decoded, info: publicInfo(info), seconds: (performance.now() - start) / 1000 };
}

async function decodeWhole(pool, bytes, { passes, scale, signal, options, level = 0 }, onProgress) {
  if (level !== 0) throw usageError('Fractal images have no mip levels.');
  const text = optionText({ iterations: passes, scale, ...options });
  const { pixels, width, height } = await pool.run(
    'decodeWhole',
    { options: text, bytes },
    { signal, onProgress, transfer: [bytes.buffer], module: 'fractal' },
  );
  return { data: new Uint8ClampedArray(pixels.buffer), width, height };
}

async function decodeLevel(pool, bytes, info, level, { signal, profile, options, passes, scale }, onProgress) {
  if (passes !== undefined || scale !== undefined) {
    throw new TesseraError('usage', 'Only fractal images are decoded in passes or at another scale.');
  }
  const { width, height } = level;
  checkSize(width, height);
  const data = new Uint8ClampedArray(allocate(width * height * 4).buffer);
  const block = { width: info.blockWidth, height: info.blockHeight, bytes: info.blockBytes };
  const text = optionText({
    format: info.format,
    block: `${block.width}x${block.height}`,
    profile: profile ?? info.profile,
    ...options,
  });
  const messageOf = (strip) => {
    const at = level.byteOffset + strip.byteOffset;
    const blocks = bytes.slice(at, at + strip.byteLength);
    return { args: { options: text, blocks, width, height: strip.height }, transfer: [blocks.buffer] };
  };
  let rows = 0;
  const strips = cutLevel(level, block, pool.slots.length, mostBlocks);
  await runStrips(pool, 'decodeStrip', strips, signal, messageOf, (strip, { pixels }) => {
    data.set(pixels, strip.y * width * 4);
    rows += strip.height;
    onProgress(rows / height);
  });
  return { data, width, height };
}
