// Encoding a picture: the worker that has room looks at the whole of it, then all workers encode
// its strips, which are put into the file as they come.
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

// Whether options ask for a look at the whole picture, so that it can begin at once the next time.
const wantingPictures = new Map();

function remember(text, wantsPicture) {
  const mostKept = 64;
  if (wantingPictures.size >= mostKept) wantingPictures.clear();
  wantingPictures.set(text, wantsPicture);
}

async function encodeBlocks(pool, picture, text, options, call) {
  const { signal, onProgress } = call;
  const { width, height } = picture;
  const bare = options.container === 'blocks';
  const planning = pool.run('plan', { options: text, width, height, bare }, { signal });
  const wantsPicture = wantingPictures.get(text) ?? (await planning).info.wantsPicture;
  remember(text, wantsPicture);
  const levels = [{ ...picture, factsLow: 0, factsHigh: 0 }];
  const [{ info, layout, head }, seen] = await Promise.all([
    planning,
    wantsPicture ? lookAt(pool, picture, text, signal) : levels,
  ]);
  const file = allocate(layout.byteLength, (bytes) => bytes.set(head));
  const before = wantsPicture ? lookShare : 0;
  onProgress(before);
  const block = { width: info.blockWidth, height: info.blockHeight, bytes: info.blockBytes };
  const strips = seen.flatMap((level, i) =>
    cutLevel(level, block, pool.slots.length, mostBlocksOf(options)).map((strip) => ({
      ...strip,
      level,
      fileOffset: layout.levels[i].byteOffset + strip.byteOffset,
    })),
  );
  let done = 0;
  let workerSeconds = 0;
  let alphaDropped = false;
  const total = strips.reduce((sum, strip) => sum + strip.byteLength, 0);
  await runStrips(pool, 'encodeStrip', strips, signal, messageOf(text), (strip, result) => {
    file.set(result.bytes, strip.fileOffset);
    workerSeconds += result.seconds;
    alphaDropped ||= result.alphaDropped;
    done += strip.byteLength;
    onProgress(before + (1 - before) * (done / total));
  });
  return { ...describeEncoder(info), bytes: file, levels: layout.levels, workerSeconds, alphaDropped };
}

/** What a worker is told of a strip. The pixels are a copy, which goes to it. */
const messageOf = (options) => ({ level, y, height }) => {
  const { width, factsLow, factsHigh } = level;
  const pixels = level.pixels.slice(y * width * 4, (y + height) * width * 4);
  return { args: { options, pixels, width, height, factsLow, factsHigh }, transfer: [pixels.buffer] };
};

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
