// Tiles: the blocks of small pictures, without taking more memory.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SpareArrays } from '../src/spare.js';
import { firstDifference, openTessera } from './helpers.js';

describe('tiles', () => {
  let tessera;
  before(async () => {
    tessera = await openTessera();
  });

  for (const options of [
    { width: 256, height: 256, block: '4x4', profile: 'ldr' },
    { width: 100, height: 36, block: '6x6', preset: 'fast', profile: 'ldr' },
    { width: 130, height: 66, format: 'bc1' },
    { width: 64, height: 64, block: '4x4', profile: 'srgb' },
  ]) {
    test(`a tile is a picture of its own: ${JSON.stringify(options)}`, async () => {
      const { width, height, ...others } = options;
      const picture = await tessera.sample('interface', width, height, 3);
      const expected = await tessera.encode(picture, { preset: 'realtime', ...others, container: 'blocks' });
      const tiles = await tessera.tileEncoder(options);
      assert.equal(tiles.byteLength, expected.bytes.length);
      assert.equal(firstDifference(tiles.encode(picture.data), expected.bytes), -1);
      const out = new Uint8Array(tiles.byteLength);
      assert.equal(tiles.encode(picture.data, out), out);
      const { buffer } = picture.data;
      const { rgba, blocks } = await tiles.encodeInWorker(picture.data, out);
      assert.equal(buffer.byteLength, 0, 'the buffer went to the worker');
      assert.equal(rgba.length, width * height * 4);
      assert.equal(firstDifference(blocks, expected.bytes), -1);
      tiles.close();
      assert.throws(() => tiles.encode(rgba), /closed/);
    });
  }

  test('wrong arrays are refused', async () => {
    const tiles = await tessera.tileEncoder({ width: 16, height: 16, block: '4x4' });
    assert.throws(() => tiles.encode(new Uint8Array(10)), /1024 bytes/);
    assert.throws(() => tiles.encode(new Uint8Array(1024), new Uint8Array(1)), /256 bytes/);
    assert.throws(() => tiles.encode(new Float32Array(1024)), /1024 bytes/);
    assert.throws(() => tiles.encode(new Uint8Array(1024), new Array(256)), /256 bytes/);
    const part = new Uint8ClampedArray(new ArrayBuffer(2048), 0, 1024);
    await assert.rejects(tiles.encodeInWorker(part), /own its whole buffer/);
  });

  test('workers forget a closed encoder after its last tile', async () => {
    const told = []; // of each worker, what it was sent
    const createWorker = () => {
      const worker = new Worker(new URL('../src/worker.js', import.meta.url));
      const messages = [];
      told.push(messages);
      const { postMessage } = worker;
      worker.postMessage = (message, transfer) => {
        messages.push(message.closeTile ? 'close' : message.task);
        postMessage.call(worker, message, transfer);
      };
      return worker;
    };
    const other = await openTessera({ workers: 2, createWorker });
    const tiles = await other.tileEncoder({ width: 64, height: 64 });
    const encoding = Array.from({ length: 12 }, () => tiles.encodeInWorker(new Uint8Array(64 * 64 * 4)));
    tiles.close();
    assert.equal((await Promise.all(encoding)).length, 12);
    assert.equal(told.flat().filter((task) => task === 'encodeTile').length, 12);
    for (const messages of told) {
      assert.equal(messages.filter((task) => task === 'close').length, 1);
      assert.ok(messages.indexOf('close') > messages.lastIndexOf('encodeTile'), messages.join(' '));
    }
  });

  test('arrays that are kept for the next picture are few, and found again by their size', () => {
    const spare = new SpareArrays();
    const arrays = Array.from({ length: 80 }, () => new Uint8Array(2 ** 20));
    for (const array of arrays) spare.give(array);
    assert.equal(spare.byteLength, 64 * 2 ** 20);
    assert.equal(spare.take(7).length, 7);
    assert.ok(arrays.includes(spare.take(2 ** 20)));
    assert.equal(spare.byteLength, 63 * 2 ** 20);
    spare.clear();
    assert.ok(!arrays.includes(spare.take(2 ** 20)));
    assert.equal(spare.byteLength, 0);
  });

  test('memory stays as it is over 500 tiles and 100 pictures', async () => {
    const tiles = await tessera.tileEncoder({ width: 256, height: 256 });
    const pictures = [];
    for (let seed = 1; seed <= 5; ++seed) pictures.push(await tessera.sample('interface', 256, 256, seed));
    tiles.encode(pictures[0].data);
    const before = tiles.memoryBytes;
    for (let i = 0; i < 500; ++i) tiles.encode(pictures[i % 5].data);
    assert.equal(tiles.memoryBytes, before, 'the instance on this thread');

    const used = () => process.memoryUsage().rss;
    const encode = (i) => tessera.encode(pictures[i % 5], { preset: 'realtime', mips: i % 2 === 0 });
    for (let i = 0; i < 30; ++i) await encode(i);
    globalThis.gc?.();
    const usedBefore = used();
    for (let i = 0; i < 100; ++i) await encode(i);
    globalThis.gc?.();
    // Arrays that wait for the collector are a part of it; a leak would be 100 pictures of 256 KiB
    // in each of several places, and the working memory of an encoder, 13 MB, per call.
    assert.ok(used() - usedBefore < 150e6, `${(used() - usedBefore) / 1e6} MB more`);
  });
});
