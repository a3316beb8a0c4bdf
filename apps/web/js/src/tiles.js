// Tiles of one size, on the calling thread or in workers.
import { Engine, optionText } from './engine.js';
import { failedError, usageError } from './errors.js';
import { checkSize } from './pixels.js';
import { TileEngine } from './tasks.js';

let lastKey = 0;

export async function createTileEncoder(pool, module, given) {
  const { width, height, format = 'astc', block, preset = 'realtime', profile } = given;
  checkSize(width, height);
  if (format === 'fractal') throw usageError('Tiles are encoded as astc or bc1.');
  const options = optionText({ format, block, preset, profile });
  const tile = new TileEngine(await Engine.create(module), options, width, height);
  return new TileEncoder(pool, tile, options);
}

class TileEncoder {
  #pool;
  #tile;
  #options;
  #key = ++lastKey;
  #own;
  #underWay = 0; // tiles in workers, or on their way

  constructor(pool, tile, options) {
    this.#pool = pool;
    this.#tile = tile;
    this.#options = options;
    this.width = tile.width;
    this.height = tile.height;
    this.blockWidth = tile.info.blockWidth;
    this.blockHeight = tile.info.blockHeight;
    this.byteLength = tile.info.byteLength;
    this.#own = new Uint8Array(this.byteLength);
  }

  /** Bytes of the instance that works on the calling thread. */
  get memoryBytes() {
    return this.#tile?.engine.memoryBytes ?? 0;
  }

  #check(rgba, out) {
    if (!this.#tile) throw failedError('The tile encoder has been closed.');
    const bytes = this.width * this.height * 4;
    const isPixels = rgba instanceof Uint8Array || rgba instanceof Uint8ClampedArray;
    if (!isPixels || rgba.length !== bytes) {
      throw usageError(`A tile of ${this.width} x ${this.height} pixels has ${bytes} bytes.`);
    }
    if (out !== undefined && !(out instanceof Uint8Array && out.length === this.byteLength)) {
      throw usageError(`The blocks of a tile take ${this.byteLength} bytes, and out is no Uint8Array of that size.`);
    }
  }

  encode(rgba, out = this.#own) {
    this.#check(rgba, out);
    return this.#tile.encode(rgba, out);
  }

  async encodeInWorker(rgba, out) {
    this.#check(rgba, out);
    for (const array of out ? [rgba, out] : [rgba]) {
      if (array.byteLength !== array.buffer.byteLength) {
        throw usageError('An array that goes to a worker must own its whole buffer.');
      }
    }
    const { width, height } = this;
    const args = { key: this.#key, options: this.#options, width, height, rgba, out };
    const transfer = out ? [rgba.buffer, out.buffer] : [rgba.buffer];
    ++this.#underWay;
    try {
      return await this.#pool.run('encodeTile', args, { transfer, isStrip: true });
    } finally {
      --this.#underWay;
      this.#releaseWorkers();
    }
  }

  /** Has workers forget the closed encoder, once they have done all its tiles: for a tile that came
   *  later they would make it again. */
  #releaseWorkers() {
    if (!this.#tile && this.#underWay === 0) this.#pool.tellAll({ closeTile: this.#key });
  }

  close() {
    this.#tile = undefined;
    this.#releaseWorkers();
  }
}
