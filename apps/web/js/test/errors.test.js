// What goes wrong ends in a sentence, and what comes after works.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Tessera, TesseraError } from '../index.js';
import { Engine } from '../src/engine.js';
import { compileModule } from '../src/platform.js';
import { TileEngine } from '../src/tasks.js';
import { firstDifference, openTessera } from './helpers.js';

const isSentence = (status) => (error) => {
  assert.ok(error instanceof TesseraError, String(error));
  assert.equal(error.status, status, error.message);
  assert.match(error.message, /^['A-Z\d].*\.$/);
  return true;
};

describe('errors', () => {
  let tessera;
  let photo;
  before(async () => {
    tessera = await openTessera();
    photo = await tessera.sample('photo', 320, 240);
  });

  test('requests that make no sense', async () => {
    const bad = [
      [undefined, {}],
      [{ data: new Uint8Array(4), width: 0, height: 1 }, {}],
      [{ data: new Uint8Array(4), width: 1.5, height: 1 }, {}],
      [{ data: new Uint8Array(5), width: 1, height: 1 }, {}],
      [{ data: [1, 2, 3, 4], width: 1, height: 1 }, {}],
      [photo, { format: 'png' }],
      [photo, { preset: 'slow' }],
      [photo, { quality: 101 }],
      [photo, { block: '7x7' }],
      [photo, { block: 'large' }],
      [photo, { profile: 'rgb' }],
      [photo, { container: 'zip' }],
      [photo, { options: { nonsense: 1 } }],
      [photo, { options: { 'channel-weights': '1\n2' } }],
      [photo, { format: 'fractal', container: 'blocks' }],
    ];
    for (const [image, options] of bad) {
      await assert.rejects(tessera.encode(image, options), isSentence('usage'), JSON.stringify(options));
    }
    await assert.rejects(tessera.encode(photo, { format: 'bc1', profile: 'srgb', container: 'astc' }), TesseraError);
    await assert.rejects(tessera.compare(photo, await tessera.sample('photo', 8, 8)), isSentence('usage'));
    await assert.rejects(tessera.sample('cat', 8, 8), isSentence('usage'));
    await assert.rejects(Tessera.create({ workers: 0 }), isSentence('usage'));
    await assert.rejects(tessera.tileEncoder({ width: 0, height: 4 }), isSentence('usage'));
  });

  test('files that are empty, no texture, cut or damaged', async () => {
    await assert.rejects(tessera.decode(new Uint8Array(0)), isSentence('invalid'));
    await assert.rejects(tessera.decode(new Uint8Array(1000).fill(65)), isSentence('invalid'));
    for (const options of [{ container: 'astc' }, { container: 'ktx2' }, { format: 'bc1' }, { format: 'fractal' }]) {
      const { bytes } = await tessera.encode(photo, { preset: options.format === 'fractal' ? undefined : 'realtime', ...options });
      for (const length of [4, 14, 60, bytes.length - 1]) {
        await assert.rejects(tessera.decode(bytes.subarray(0, length)), isSentence('invalid'), `${JSON.stringify(options)} cut to ${length}`);
        await assert.rejects(tessera.inspect(bytes.subarray(0, length)), isSentence('invalid'));
      }
      await assert.rejects(tessera.decode(bytes, { level: 7 }), isSentence('usage'));
    }
  });

  test('pictures that are too large for 32-bit addresses are refused', async () => {
    for (const [width, height] of [[40_000, 40_000], [2 ** 24, 2 ** 24], [2 ** 25, 1], [65536, 65537]]) {
      const huge = { data: new Uint8Array(4), width, height };
      await assert.rejects(tessera.encode(huge), isSentence('invalid'), `${width}x${height}`);
    }
    // A header that claims it: 16 bytes of an .astc file.
    const header = new Uint8Array(32);
    header.set([0x13, 0xab, 0xa1, 0x5c, 12, 12, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0]);
    await assert.rejects(tessera.decode(header), isSentence('invalid'));
    await assert.rejects(
      tessera.decode(header, { raw: { format: 'astc', width: 2 ** 17, height: 2 ** 15 } }),
      isSentence('invalid'),
    );
  });

  test('the module itself refuses sizes whose bytes do not fit 32 bits', async () => {
    const engine = new Engine(await compileModule(new URL('../wasm/tessera.wasm', import.meta.url)));
    const { handle } = engine.encoderOf('format=astc\nblock=12x12\n');
    // 65536 x 65537 x 4 is 2^34 + 2^18: cut to 32 bits it would be 256 KiB.
    for (const [width, height] of [[65536, 65537], [32768, 32768], [2 ** 24, 64]]) {
      assert.throws(
        () => engine.check(engine.exports.tessera_web_lay_out(handle, width, height, 1)),
        isSentence('invalid'),
        `${width}x${height}`,
      );
    }
    assert.throws(() => engine.withMemory(2 ** 32 - 10, () => {}), isSentence('failed'));
    assert.throws(() => engine.withMemory(2 ** 32 - 2 ** 20, () => {}), isSentence('failed'));
  });

  test('a trap is a sentence, and the instance is replaced', async () => {
    const engine = new Engine(await compileModule(new URL('../wasm/tessera.wasm', import.meta.url)));
    const first = engine.exports;
    assert.throws(
      () => engine.guard(() => engine.exports.tessera_web_encode_strip(0, 2 ** 31 - 64, 8192, 8192, 0, 0)),
      isSentence('failed'),
    );
    assert.notEqual(engine.exports, first);
    engine.guard(() => assert.equal(engine.encoderOf('format=bc1\n').info.blockBytes, 8));
  });

  test('a tile encoder goes on after a trap, in a new instance', async () => {
    const { data } = await tessera.sample('interface', 64, 64);
    const module = await compileModule(new URL('../wasm/tessera.wasm', import.meta.url));
    const tile = TileEngine.inWorker(module, 'format=astc\nblock=4x4\npreset=realtime\n', 64, 64);
    const expected = tile.encode(data, new Uint8Array(tile.info.byteLength));
    const { exports } = tile.engine;
    tile.handle = 2 ** 32 - 64; // beyond all memory
    assert.throws(() => tile.encode(data, new Uint8Array(expected.length)), isSentence('failed'));
    assert.notEqual(tile.engine.exports, exports);
    assert.equal(firstDifference(tile.encode(data, new Uint8Array(expected.length)), expected), -1);
  });

  test('a call can be given up before and while it runs', async () => {
    const gone = AbortSignal.abort();
    await assert.rejects(tessera.encode(photo, { signal: gone }), { name: 'AbortError' });
    for (const options of [{ preset: 'exhaustive', block: '6x6' }, { format: 'fractal', quality: 90 }]) {
      const large = await tessera.sample('photo', 1500, 1500);
      const controller = new AbortController();
      let called = 0;
      const encoding = tessera.encode(large, {
        ...options,
        signal: controller.signal,
        onProgress: () => ++called,
      });
      setTimeout(() => controller.abort(), 300);
      const start = performance.now();
      await assert.rejects(encoding, { name: 'AbortError' });
      assert.ok(performance.now() - start < 5000, 'the call ends soon');
      const calledBefore = called;
      const { bytes } = await tessera.encode(photo, { preset: 'realtime' });
      assert.ok(bytes.length > 0);
      assert.equal(called, calledBefore, 'no progress after the end');
    }
  });

  test('progress rises from 0 to 1', async () => {
    for (const options of [{ preset: 'fast', mips: true }, { format: 'bc1' }, { format: 'fractal' }]) {
      const seen = [];
      await tessera.encode(photo, { ...options, onProgress: (fraction) => seen.push(fraction) });
      assert.ok(seen.length > 1);
      assert.ok(seen.every((fraction, i) => fraction > 0 && fraction <= 1 && (i === 0 || fraction > seen[i - 1])));
      assert.equal(seen.at(-1), 1);
    }
  });

  test('a worker that crashes is replaced', async () => {
    const workers = [];
    const createWorker = () => {
      const worker = new Worker(new URL('../src/worker.js', import.meta.url));
      workers.push(worker);
      return worker;
    };
    const other = await openTessera({ workers: 2, createWorker });
    const expected = await other.encode(photo, { preset: 'fast' });
    const large = await other.sample('photo', 1500, 1500);
    const encoding = other.encode(large, { preset: 'thorough', block: '6x6' });
    setTimeout(() => workers.forEach((worker) => worker.terminate()), 300);
    await assert.rejects(encoding, isSentence('failed'));
    const again = await other.encode(photo, { preset: 'fast' });
    assert.equal(firstDifference(again.bytes, expected.bytes), -1);
    assert.ok(workers.length >= 3);
  });

  test('a module that cannot be loaded', async () => {
    await assert.rejects(Tessera.create({ module: new URL('./nothing.wasm', import.meta.url) }), isSentence('failed'));
    await assert.rejects(Tessera.create({ module: new Uint8Array(8) }), isSentence('failed'));
    await assert.rejects(Tessera.create({ module: 7 }), isSentence('usage'));
  });

  test('after closing, calls reject', async () => {
    const other = await Tessera.create({ workers: 1 });
    const encoding = other.encode(photo, { preset: 'thorough' });
    other.close();
    await assert.rejects(encoding, isSentence('failed'));
    await assert.rejects(other.encode(photo), isSentence('failed'));
  });
});
