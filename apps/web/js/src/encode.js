// Encoding a picture: the worker that has room looks at it, then all workers encode its strips,
// which are put into the file as they come.
import { optionText } from './engine.js';
import { throwIfAborted, usageError } from './errors.js';
import { allocate, copyPixels, readPixels } from './pixels.js';
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

/** The caller's pixels are read before anything is waited for. `ready`: the module is loaded. */
export async function encodePicture(pool, source, options, ready) {
  const start = performance.now();
  const format = options.format ?? 'astc';
  const container = options.container ?? usualContainers[format];
  if (format === 'fractal' && container === 'blocks') {
    throw usageError('Fractal images are not made of blocks of one size.');
  }
  const text = moduleOptions(options, format, container);
  const call = { signal: options.signal, onProgress: progressOf(options.onProgress) };
  const made =
    format === 'fractal'
      ? await encodeWhole(pool, copyPixels(source), text, call, ready)
      : await encodeBlocks(pool, source, text, { ...options, format, container }, call);
  call.onProgress(1);
  // The caller may have closed or changed the picture meanwhile.
  const { width, height } = made.levels[0];
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

async function encodeWhole(pool, { pixels, width, height }, options, call, ready) {
  await ready;
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

async function encodeBlocks(pool, source, text, options, call) {
  const { signal, onProgress } = call;
  throwIfAborted(signal);
  const { plan, levels } = await levelsOf(pool, source, text, options, signal);
  const { info, layout, head } = plan;
  const before = info.wantsPicture || info.wantsAreas ? lookShare : 0;
  onProgress(before);
  const strips = levels.flatMap((level, number) =>
    (level.strips ?? cutPicture(pool, level, info, options)).map((strip) => ({ ...strip, level, number })),
  );
  let file;
  let done = 0;
  let workerSeconds = 0;
  let alphaDropped = false;
  const total = strips.reduce((sum, strip) => sum + strip.byteLength, 0);
  await runStrips(pool, 'encodeStrip', strips, signal, messageOf(pool, text), (strip, result) => {
    pool.spare.give(result.pixels);
    // Made here, the file takes no time before all workers have work.
    file ??= allocate(layout.byteLength, (bytes) => bytes.set(head));
    file.set(result.bytes, layout.levels[strip.number].byteOffset + strip.byteOffset);
    workerSeconds += result.seconds;
    alphaDropped ||= result.alphaDropped;
    done += strip.byteLength;
    onProgress(before + (1 - before) * (done / total));
  });
  return { ...describeEncoder(info), bytes: file, levels: layout.levels, workerSeconds, alphaDropped };
}

/** What the encoder makes of a picture of this size, and the levels that are to be encoded. Where the
 *  plan is known and the picture is encoded as it is, the caller's pixels go straight into strips, which
 *  are cut while a worker looks at a sample of them; else they are copied first. */
async function levelsOf(pool, source, text, options, signal) {
  const { width, height } = source ?? {};
  const bare = options.container === 'blocks';
  const key = `${width} ${height} ${bare}\n${text}`;
  let plan = pool.plans.get(key);
  if (plan && !plan.info.wantsPicture) {
    const picture = readPixels(source);
    const looking = factsOf(pool, picture, text, plan, signal);
    looking.catch(() => {}); // it is told below, unless there is too little memory for the strips
    const strips = cutPicture(pool, picture, plan.info, options).map((strip) => ({
      ...strip,
      pixels: cutPixels(pool, picture, strip),
    }));
    return { plan, levels: [{ width, height, strips, ...(await looking) }] };
  }
  const picture = copyPixels(source);
  plan ??= await pool.run('plan', { options: text, width, height, bare }, { signal });
  remember(pool.plans, key, plan);
  const levels = plan.info.wantsPicture
    ? await lookAt(pool, picture, text, signal)
    : [{ ...picture, ...(await factsOf(pool, picture, text, plan, signal)) }];
  return { plan, levels };
}

/** Plans are kept, so that the work begins at once when options and size come again. */
function remember(plans, key, plan) {
  const mostKept = 64;
  if (plans.size >= mostKept) plans.clear();
  plans.set(key, plan);
}

function cutPicture(pool, size, { blockWidth, blockHeight, blockBytes }, options) {
  const block = { width: blockWidth, height: blockHeight, bytes: blockBytes };
  return cutLevel(size, block, pool.slots.length, mostBlocksOf(options));
}

function cutPixels(pool, { pixels, width }, { y, height }) {
  const rows = pixels.subarray(y * width * 4, (y + height) * width * 4);
  const copy = pool.spare.take(rows.length);
  copy.set(rows);
  return copy;
}

/** What a worker is told of a strip. The pixels are a copy, which goes to it and comes back. */
const messageOf = (pool, options) => (strip) => {
  const { level, height } = strip;
  const { width, factsLow, factsHigh } = level;
  const pixels = strip.pixels ?? cutPixels(pool, level, strip);
  return { args: { options, pixels, width, height, factsLow, factsHigh }, transfer: [pixels.buffer] };
};

/** The facts of a picture that is encoded as it is. The worker is sent what it looks at of it, which is
 *  copied before anything is waited for. */
async function factsOf(pool, picture, options, { info, areas }, signal) {
  if (!info.wantsAreas) return { factsLow: 0, factsHigh: 0 };
  const pixels = copyAreas(picture, areas);
  return pool.run('lookAtAreas', { options, areas, pixels }, { signal, transfer: [pixels.buffer] });
}

function copyAreas({ pixels, width }, areas) {
  let count = 0;
  for (let i = 0; i < areas.length; i += 4) count += areas[i + 2] * areas[i + 3];
  // Whole pixels are copied as one number where they lie at whole numbers.
  const isAligned = pixels.byteOffset % 4 === 0;
  const unit = isAligned ? 1 : 4;
  const from = isAligned ? new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4) : pixels;
  const copy = isAligned ? new Uint32Array(count) : new Uint8Array(count * 4);
  let at = 0;
  for (let i = 0; i < areas.length; i += 4) {
    const [x, y, areaWidth, areaHeight] = areas.subarray(i, i + 4);
    for (let row = y; row < y + areaHeight; ++row) {
      const place = (row * width + x) * unit;
      copy.set(from.subarray(place, place + areaWidth * unit), at);
      at += areaWidth * unit;
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
