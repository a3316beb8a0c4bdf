// Encoding a picture: the worker that has room looks at it, then all workers encode its strips,
// which are put into the file as they come.
import { optionText } from './engine.js';
import { usageError } from './errors.js';
import { allocate, copyPixels } from './pixels.js';
import { progressOf } from './progress.js';
import { cutLevel, mostBlocksOf, runStrips } from './strips.js';

const usualContainers = { astc: 'ktx2', bc1: 'dds', fractal: 'tsf' };
// What looking at the picture counts in the progress.
const lookShare = 0.05;

/** Options as the module takes them. */
function moduleOptions(options, format, container) {
  const { block, preset, quality, profile, method, mips, linear } = options;
  return optionText({
    format,
    block,
    preset,
    quality,
    profile,
    method,
    mips: Boolean(mips),
    linear: Boolean(linear),
    container: container === 'blocks' ? usualContainers[format] : container,
    ...options.options,
  });
}

export async function encodePicture(pool, source, options) {
  const start = performance.now();
  const format = options.format ?? 'astc';
  const container = options.container ?? usualContainers[format];
  if (format === 'fractal' && container === 'blocks') {
    throw usageError('Fractal images are not made of blocks of one size.');
  }
  const text = moduleOptions(options, format, container);
  const picture = copyPixels(source);
  const call = { signal: options.signal, onProgress: progressOf(options.onProgress) };
  const made =
    format === 'fractal'
      ? await encodeWhole(pool, picture, text, call)
      : await encodeBlocks(pool, picture, text, { ...options, format, container }, call);
  call.onProgress(1);
  const { width, height } = picture;
  return {
    ...made,
    container,
    width,
    height,
    encodedPixels: made.levels.reduce((sum, level) => sum + level.width * level.height, 0),
    bitsPerPixel: (made.levels[0].byteLength * 8) / (width * height),
    seconds: (performance.now() - start) / 1000,
  };
}

async function encodeWhole(pool, { pixels, width, height }, options, call) {
  const { bytes, format, profile, seconds, alphaDropped } = await pool.run(
    'encodeWhole',
    { options, pixels, width, height },
    { ...call, transfer: [pixels.buffer], module: 'fractal' },
  );
  const levels = [{ width, height, byteOffset: 0, byteLength: bytes.length }];
  return { format, profile, blockWidth: 0, blockHeight: 0, bytes, levels, workerSeconds: seconds, alphaDropped };
}

const describeEncoder = ({ format, profile, blockWidth, blockHeight }) => ({
  format,
  profile,
  blockWidth,
  blockHeight,
});

// What encoders are, so that the work begins at once when their options come again.
const knownEncoders = new Map();

function remember(text, info) {
  const mostKept = 64;
  if (knownEncoders.size >= mostKept) knownEncoders.clear();
  knownEncoders.set(text, info);
}

async function encodeBlocks(pool, picture, text, options, call) {
  const { signal, onProgress } = call;
  const { width, height } = picture;
  const bare = options.container === 'blocks';
  const planning = pool.run('plan', { options: text, width, height, bare }, { signal });
  // Made while the picture is looked at and its first strips are encoded.
  const making = planning.then(({ layout, head }) => ({
    layout,
    file: allocate(layout.byteLength, (bytes) => bytes.set(head)),
  }));
  making.catch(() => {}); // it is told when the file is needed
  const info = knownEncoders.get(text) ?? (await planning).info;
  remember(text, info);
  const levels = info.wantsPicture
    ? await lookAt(pool, picture, text, signal)
    : [{ ...picture, ...(await factsOf(pool, picture, text, info, planning, signal)) }];
  const before = info.wantsPicture || info.wantsAreas ? lookShare : 0;
  onProgress(before);
  const block = { width: info.blockWidth, height: info.blockHeight, bytes: info.blockBytes };
  const strips = levels.flatMap((level, number) =>
    cutLevel(level, block, pool.slots.length, mostBlocksOf(options)).map((strip) => ({ ...strip, level, number })),
  );
  let done = 0;
  let workerSeconds = 0;
  let alphaDropped = false;
  const total = strips.reduce((sum, strip) => sum + strip.byteLength, 0);
  await runStrips(pool, 'encodeStrip', strips, signal, messageOf(text), async (strip, result) => {
    const { file, layout } = await making;
    file.set(result.bytes, layout.levels[strip.number].byteOffset + strip.byteOffset);
    workerSeconds += result.seconds;
    alphaDropped ||= result.alphaDropped;
    done += strip.byteLength;
    onProgress(before + (1 - before) * (done / total));
  });
  const { file, layout } = await making;
  return { ...describeEncoder(info), bytes: file, levels: layout.levels, workerSeconds, alphaDropped };
}

/** What a worker is told of a strip. The pixels are a copy, which goes to it. */
const messageOf = (options) => ({ level, y, height }) => {
  const { width, factsLow, factsHigh } = level;
  const pixels = level.pixels.slice(y * width * 4, (y + height) * width * 4);
  return { args: { options, pixels, width, height, factsLow, factsHigh }, transfer: [pixels.buffer] };
};

/** The facts of a picture that is encoded as it is. The worker is sent what it looks at of it. */
async function factsOf(pool, picture, options, info, planning, signal) {
  if (!info.wantsAreas) return { factsLow: 0, factsHigh: 0 };
  const { areas } = await planning;
  const pixels = copyAreas(picture, areas);
  return pool.run('lookAtAreas', { options, areas, pixels }, { signal, transfer: [pixels.buffer] });
}

/** The pixels of a call are a copy of their own, which begins where its buffer does. */
function copyAreas({ pixels, width }, areas) {
  const from = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  let count = 0;
  for (let i = 0; i < areas.length; i += 4) count += areas[i + 2] * areas[i + 3];
  const copy = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < areas.length; i += 4) {
    const [x, y, areaWidth, areaHeight] = areas.subarray(i, i + 4);
    for (let row = y; row < y + areaHeight; ++row) {
      const place = row * width + x;
      copy.set(from.subarray(place, place + areaWidth), at);
      at += areaWidth;
    }
  }
  return copy;
}

/** The levels with their pixels and facts. The picture's own pixels go to the worker and back. */
async function lookAt(pool, picture, options, signal) {
  const { pixels, width, height } = picture;
  const prepared = await pool.run(
    'prepare',
    { options, pixels, width, height },
    { signal, transfer: [pixels.buffer] },
  );
  return prepared.levels.map((level) => ({ ...level, pixels: level.pixels ?? prepared.pixels }));
}
