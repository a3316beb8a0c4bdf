// The class that callers use: workers, modules, and the calls.
import { decodeBytes } from './decode.js';
import { encodePicture } from './encode.js';
import { explainAt } from './explain.js';
import { inspectBytes } from './inspect.js';
import { abortReason, usageError } from './errors.js';
import { checkOptions } from './options.js';
import { checkSize, copyBytes, copyPixels, parseBlock } from './pixels.js';
import { compileModule, defaultWorkerMaker, processorCount } from './platform.js';
import { WorkerPool } from './pool.js';
import { repackBytes } from './repack.js';
import { createTileEncoder } from './tiles.js';

const mostWorkers = 64;
const mostUsualWorkers = 8;
const infinitePsnr = 999; // what the library says where nothing differs
const psnr = (value) => (value === infinitePsnr ? Infinity : value);

async function workerCountOf(workers) {
  const count = workers ?? Math.min(mostUsualWorkers, await processorCount());
  if (!Number.isInteger(count) || count < 1 || count > mostWorkers) {
    throw usageError(`There can be 1 to ${mostWorkers} workers, not ${workers}.`);
  }
  return count;
}

/** What the promise gives, unless the signal is aborted before. */
async function orAborted(promise, signal) {
  if (!signal) return promise;
  let abort;
  const aborted = new Promise((_, reject) => {
    abort = () => reject(abortReason(signal));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

export class Tessera {
  #pool;
  #module;
  #otherSources;
  #others = {};

  /** For `create`, which knows what has to be waited for. */
  constructor(pool, module, otherSources, version) {
    if (!(pool instanceof WorkerPool)) throw usageError('Tessera is opened by Tessera.create().');
    this.#pool = pool;
    this.#module = module;
    this.#otherSources = otherSources;
    this.version = version;
    this.workerCount = pool.slots.length;
  }

  static async create(options = {}) {
    checkOptions('create', options);
    const count = await workerCountOf(options.workers);
    const source = options.module ?? new URL('../wasm/tessera.wasm', import.meta.url);
    const otherSources = {
      fractal: options.fractalModule ?? new URL('../wasm/tessera-fractal.wasm', import.meta.url),
      pictures: options.picturesModule ?? new URL('../wasm/tessera-pictures.wasm', import.meta.url),
    };
    const [module, makeWorker] = await Promise.all([
      compileModule(source),
      options.createWorker ?? defaultWorkerMaker(),
    ]);
    const pool = new WorkerPool(count, makeWorker, { blocks: module });
    try {
      const version = await pool.run('version', {});
      return new Tessera(pool, module, otherSources, version);
    } catch (error) {
      pool.close();
      throw error;
    }
  }

  async encode(image, options = {}) {
    checkOptions('encode', options);
    const ready = options.format === 'fractal' ? this.#load('fractal', options.signal) : undefined;
    ready?.catch(() => {}); // it is awaited after the pixels are read
    return encodePicture(this.#pool, image, options, ready);
  }

  async decode(bytes, options = {}) {
    checkOptions('decode', options);
    const copy = copyBytes(bytes);
    await this.#loadFractalFor(copy, options.signal);
    return decodeBytes(this.#pool, copy, options);
  }

  async repack(bytes, container, options = {}) {
    checkOptions('repack', options);
    const copy = copyBytes(bytes);
    await this.#loadFractalFor(copy, options.signal);
    return repackBytes(this.#pool, copy, container, options);
  }

  async compare(reference, test, options = {}) {
    checkOptions('compare', options);
    const { block = '4x4', signal } = options;
    const [blockWidth, blockHeight] = parseBlock(block);
    const a = copyPixels(reference);
    const b = copyPixels(test);
    const { width, height } = a;
    if (b.width !== width || b.height !== height) {
      throw usageError(
        `A picture of ${width} x ${height} pixels cannot be compared with one of ${b.width} x ${b.height}.`,
      );
    }
    const args = { reference: a.pixels, test: b.pixels, width, height, blockWidth, blockHeight };
    const transfer = [a.pixels.buffer, b.pixels.buffer];
    await this.#load('pictures', signal);
    const run = { transfer, signal, module: 'pictures' };
    const { metrics, errors } = await this.#pool.run('compare', args, run);
    return {
      psnrRgb: psnr(metrics.psnrRgb),
      psnrRgba: psnr(metrics.psnrRgba),
      psnrAlphaWeighted: psnr(metrics.psnrAlphaWeighted),
      ssim: metrics.ssim,
      maxError: Math.round(metrics.maxError * 255),
      worstBlock: { x: metrics.worstX, y: metrics.worstY, psnrRgb: psnr(metrics.worstPsnrRgb) },
      blockWidth,
      blockHeight,
      blocksAcross: Math.ceil(width / blockWidth),
      blocksDown: Math.ceil(height / blockHeight),
      blockSquaredErrors: new Float32Array(errors.buffer),
    };
  }

  async inspect(bytes, options = {}) {
    checkOptions('inspect', options);
    const copy = copyBytes(bytes);
    await this.#loadFractalFor(copy, options.signal);
    return inspectBytes(this.#pool, copy, options);
  }

  async explain(inspection, x, y, options = {}) {
    checkOptions('explain', options);
    return explainAt(this.#pool, inspection, x, y, options);
  }

  async sample(kind, width, height, seed = 1, options = {}) {
    checkOptions('sample', options);
    checkSize(width, height);
    const { signal } = options;
    await this.#load('pictures', signal);
    const args = { kind: String(kind), width, height, seed };
    const { pixels } = await this.#pool.run('sample', args, { signal, module: 'pictures' });
    return { data: new Uint8ClampedArray(pixels.buffer), width, height };
  }

  async tileEncoder(options = {}) {
    checkOptions('tileEncoder', options);
    return createTileEncoder(this.#pool, this.#module, options);
  }

  close() {
    this.#pool.close();
  }

  /** A module beside the main one, at the first call that needs it. A call that is given up leaves the
   *  module to the next one. */
  async #load(name, signal) {
    this.#others[name] ??= compileModule(this.#otherSources[name]).then(
      (module) => this.#pool.addModule(name, module),
      (error) => {
        this.#others[name] = undefined; // the next call tries again
        throw error;
      },
    );
    return orAborted(this.#others[name], signal);
  }

  async #loadFractalFor(bytes, signal) {
    if (String.fromCharCode(...bytes.subarray(0, 3)) === 'TSF') await this.#load('fractal', signal);
  }
}
