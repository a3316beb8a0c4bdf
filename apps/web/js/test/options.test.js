// Options that are unknown or unusual, and calls that are given up while something is loaded.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { Tessera, TesseraError } from '../index.js';
import { Engine } from '../src/engine.js';
import { openTessera } from './helpers.js';

const says = (status, pattern) => (error) => {
  assert.ok(error instanceof TesseraError, String(error));
  assert.equal(error.status, status, error.message);
  assert.match(error.message, pattern);
  assert.match(error.message, /^['"A-Z\d].*\.$/);
  return true;
};

describe('options', () => {
  let tessera;
  let photo;
  before(async () => {
    tessera = await openTessera();
    photo = await tessera.sample('photo', 64, 48);
  });

  test('what a call does not know is refused with the names of what it knows', async () => {
    const { bytes } = await tessera.encode(photo, { format: 'bc1' });
    const inspection = await tessera.inspect(bytes);
    const unknown = { colour: 1 };
    for (const [name, call, known] of [
      ['create', () => Tessera.create(unknown), 'workers'],
      ['encode', () => tessera.encode(photo, unknown), 'preset'],
      ['decode', () => tessera.decode(bytes, unknown), 'passes'],
      ['raw', () => tessera.decode(bytes, { raw: { format: 'bc1', width: 64, height: 48, ...unknown } }), 'block'],
      ['repack', () => tessera.repack(bytes, 'ktx2', unknown), 'profile'],
      ['compare', () => tessera.compare(photo, photo, unknown), 'block'],
      ['inspect', () => tessera.inspect(bytes, unknown), 'level'],
      ['explain', () => tessera.explain(inspection, 1, 1, unknown), 'signal'],
      ['sample', () => tessera.sample('photo', 8, 8, 1, unknown), 'signal'],
      ['tileEncoder', () => tessera.tileEncoder({ width: 8, height: 8, ...unknown }), 'width'],
    ]) {
      await assert.rejects(call, says('usage', new RegExp(`^'colour' is no option of ${name}, which has .*\\b${known}\\b`)), name);
    }
    await tessera.encode(photo, { format: 'bc1', colour: undefined });
  });

  test('options that are no object are refused', async () => {
    const pattern = /an object/;
    await assert.rejects(tessera.encode(photo, null), says('usage', pattern));
    await assert.rejects(tessera.encode(photo, 'astc'), says('usage', pattern));
    await assert.rejects(tessera.encode(photo, { options: 'as' }), says('usage', pattern));
    await assert.rejects(tessera.tileEncoder(null), says('usage', pattern));
    assert.throws(() => new Tessera(), says('usage', /Tessera\.create\(\)/));
  });

  test('options of the command have its names', async () => {
    await assert.rejects(tessera.encode(photo, { options: { as: 'nonsense' } }), says('usage', /nonsense.*color, alpha/));
    await assert.rejects(tessera.encode(photo, { options: { use: 'normal' } }), says('usage', /use/));
  });

  test('every call can be given up', async () => {
    const { bytes } = await tessera.encode(photo, { format: 'bc1' });
    const inspection = await tessera.inspect(bytes);
    const reason = new Error('of the caller');
    const signal = AbortSignal.abort(reason);
    for (const call of [
      () => tessera.encode(photo, { signal }),
      () => tessera.encode(photo, { format: 'fractal', signal }),
      () => tessera.decode(bytes, { signal }),
      () => tessera.repack(bytes, 'ktx2', { signal }),
      () => tessera.compare(photo, photo, { signal }),
      () => tessera.inspect(bytes, { signal }),
      () => tessera.explain(inspection, 1, 1, { signal }),
      () => tessera.sample('photo', 8, 8, 1, { signal }),
    ]) {
      await assert.rejects(call, reason, String(call));
    }
  });

  test('a call whose time is over says so', async () => {
    const large = await tessera.sample('photo', 1500, 1500);
    const encoding = tessera.encode(large, { preset: 'exhaustive', signal: AbortSignal.timeout(50) });
    await assert.rejects(encoding, { name: 'TimeoutError' });
  });

  test('what onProgress throws is what encode rejects with', async () => {
    for (const format of ['astc', 'fractal']) {
      const error = new Error(`of the caller, ${format}`);
      const onProgress = () => {
        throw error;
      };
      await assert.rejects(tessera.encode(photo, { format, onProgress }), error);
    }
  });

  test('a call can be given up while its module is loaded', { timeout: 120_000 }, async () => {
    const controller = new AbortController();
    const server = createServer(() => controller.abort()); // it never answers
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const fractalModule = `http://127.0.0.1:${server.address().port}/fractal.wasm`;
      const other = await openTessera({ workers: 1, fractalModule });
      const encoding = other.encode(photo, { format: 'fractal', signal: controller.signal });
      await assert.rejects(encoding, { name: 'AbortError' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('modules are addresses, or paths from the current folder', async () => {
    const address = new URL('../wasm/tessera.wasm', import.meta.url);
    (await Tessera.create({ workers: 1, module: { href: address.href } })).close();
    const folder = mkdtempSync(join(tmpdir(), 'tessera-module-'));
    const before = process.cwd();
    try {
      copyFileSync(address, join(folder, 'a copy.wasm'));
      process.chdir(folder);
      (await Tessera.create({ workers: 1, module: 'a copy.wasm' })).close();
      (await Tessera.create({ workers: 1, module: join(folder, 'a copy.wasm') })).close();
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    }
    await assert.rejects(Tessera.create({ module: 'http://[' }), says('usage', /not the address of a module/));
  });

  test('a bitmap that cannot be read is a sentence', async () => {
    class ImageBitmap {
      width = 9;
      height = 7;
    }
    globalThis.ImageBitmap = ImageBitmap;
    try {
      const bitmap = new ImageBitmap();
      await assert.rejects(tessera.encode(bitmap), says('unsupported', /OffscreenCanvas/));
      globalThis.OffscreenCanvas = class {
        getContext() {
          return null;
        }
      };
      await assert.rejects(tessera.encode(bitmap), says('failed', /9 x 7 pixels/));
      globalThis.OffscreenCanvas.prototype.getContext = () => ({
        drawImage() {
          throw new DOMException('The canvas is too large', 'InvalidStateError');
        },
      });
      await assert.rejects(tessera.encode(bitmap), says('failed', /9 x 7 pixels.*too large/));
    } finally {
      delete globalThis.ImageBitmap;
      delete globalThis.OffscreenCanvas;
    }
  });

  test('texts beyond 2 GiB of memory are read', () => {
    const start = 2 ** 31 + 16;
    const memory = new WebAssembly.Memory({ initial: 2 ** 15 + 1 }); // pages of 64 KiB
    new Uint8Array(memory.buffer, start, 4).set(new TextEncoder().encode('text'));
    // Addresses come out of a module as numbers with a sign.
    assert.equal(Engine.prototype.text.call({ exports: { memory } }, start | 0), 'text');
  });
});
