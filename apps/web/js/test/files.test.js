// The files are read by others' code, the types by TypeScript, and the package by npm.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decodeNatively, firstDifference, openTessera } from './helpers.js';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const packageFacts = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

async function importInstalled(name) {
  try {
    return await import(name);
  } catch {
    throw new Error(`${name} is not installed: run npm ci in apps/web/js`);
  }
}

describe('files', () => {
  let tessera;
  let photo;
  before(async () => {
    tessera = await openTessera();
    photo = await tessera.sample('photo', 100, 60, 2);
  });

  test('ktx-parse reads .ktx2 files', async () => {
    const { read } = await importInstalled('ktx-parse');
    const formats = { ldr: 157, srgb: 158, bc1: 134 }; // of Vulkan: ASTC 4x4, BC1 RGBA as sRGB
    for (const [profile, vkFormat] of Object.entries(formats)) {
      const options = profile === 'bc1' ? { format: 'bc1' } : { block: '4x4', profile, preset: 'fast' };
      const { bytes, levels } = await tessera.encode(photo, { ...options, container: 'ktx2', mips: true });
      const file = read(bytes);
      assert.equal(file.vkFormat, vkFormat);
      assert.deepEqual([file.pixelWidth, file.pixelHeight], [100, 60]);
      assert.equal(file.levels.length, levels.length);
      for (const [i, { levelData }] of file.levels.entries()) {
        const { byteOffset, byteLength } = levels[i];
        const expected = bytes.subarray(byteOffset, byteOffset + byteLength);
        assert.equal(firstDifference(levelData, expected), -1, `level ${i}`);
      }
    }
  });

  test('what is downloaded decodes natively to the same pixels', async () => {
    for (const [container, options] of [
      ['astc', { block: '5x5', preset: 'fast', container: 'astc' }],
      ['ktx2', { block: '8x8', preset: 'fast', profile: 'srgb' }],
      ['dds', { format: 'bc1' }],
      ['tsf', { format: 'fractal' }],
    ]) {
      const { bytes } = await tessera.encode(photo, options);
      const { data } = await tessera.decode(bytes);
      assert.equal(firstDifference(decodeNatively(bytes, container).data, data), -1, container);
    }
  });

  test('a repacked texture is the file that an encode would have made', async () => {
    for (const [options, containers] of [
      [{ block: '5x5', preset: 'fast', profile: 'srgb' }, ['astc', 'blocks']],
      [{ block: '4x4', preset: 'fast', mips: true }, ['blocks']],
      [{ format: 'bc1', mips: true, profile: 'ldr' }, ['dds', 'blocks']],
    ]) {
      const { bytes } = await tessera.encode(photo, { ...options, container: 'ktx2' });
      for (const container of containers) {
        const expected = await tessera.encode(photo, { ...options, container });
        const { bytes: repacked, info } = await tessera.repack(bytes, container);
        assert.equal(firstDifference(repacked, expected.bytes), -1, container);
        assert.deepEqual(info.levels, expected.levels);
        assert.equal(info.container, container);
      }
    }
  });

  test('a texture that becomes .ktx2 does not claim settings, and decodes to the same pixels', async () => {
    const { read } = await importInstalled('ktx-parse');
    const { bytes } = await tessera.encode(photo, { format: 'bc1', preset: 'fast' });
    const { bytes: repacked, info } = await tessera.repack(bytes, 'ktx2');
    assert.equal(read(repacked).keyValue.KTXwriterScParams, undefined);
    assert.ok(read((await tessera.encode(photo, { format: 'bc1', container: 'ktx2' })).bytes).keyValue.KTXwriterScParams);
    const [a, b] = [await tessera.decode(bytes), await tessera.decode(repacked)];
    assert.equal(firstDifference(a.data, b.data), -1);
    assert.equal(info.container, 'ktx2');
    const raw = { format: 'bc1', width: 100, height: 60 };
    const blocks = (await tessera.repack(bytes, 'blocks')).bytes;
    const again = await tessera.repack(blocks, 'dds', { raw });
    assert.equal(firstDifference(again.bytes, bytes), -1);
  });

  test('what cannot be repacked is told in a sentence', async () => {
    const { bytes } = await tessera.encode(photo, { block: '8x8', preset: 'fast', mips: true });
    await assert.rejects(tessera.repack(bytes, 'astc'), /cannot hold mip levels/);
    await assert.rejects(tessera.repack(bytes, 'dds'), /dds/);
    const fractal = await tessera.encode(photo, { format: 'fractal' });
    await assert.rejects(tessera.repack(fractal.bytes, 'ktx2'), /Fractal images/);
  });

  test('the types hold', () => {
    const tsc = join(packageFolder, 'node_modules/.bin/tsc');
    assert.ok(existsSync(tsc), 'TypeScript is not installed: run npm ci in apps/web/js');
    // The second program has no types of browsers.
    for (const [file, lib] of [['types_check.ts', 'es2022,dom'], ['types_check_node.ts', 'es2022']]) {
      const check = join(packageFolder, 'test', file);
      const args = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--lib', lib, check];
      const { status, stdout } = spawnSync(tsc, args, { encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    }
  });

  test('the licence is the project\'s', () => {
    const [ours, project] = ['LICENSE', '../../../LICENSE'].map((path) => readFileSync(join(packageFolder, path), 'utf8'));
    assert.equal(ours, project);
  });

  test('the package is not packed without its modules', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-modules-'));
    const check = () => spawnSync(process.execPath, ['check_modules.js'], { cwd: folder, encoding: 'utf8' });
    try {
      for (const name of ['package.json', 'check_modules.js']) cpSync(join(packageFolder, name), join(folder, name));
      mkdirSync(join(folder, 'wasm'));
      for (const name of ['tessera.wasm', 'tessera-fractal.wasm']) cpSync(join(packageFolder, 'wasm', name), join(folder, 'wasm', name));
      const { status, stderr } = check();
      assert.equal(status, 1);
      assert.match(stderr, /^The package cannot be packed without \.\/wasm\/tessera-pictures\.wasm: .*\.$/m);
      writeFileSync(join(folder, 'wasm/tessera-pictures.wasm'), '');
      assert.equal(check().status, 1, 'an empty file is no module');
      cpSync(join(packageFolder, 'wasm/tessera-pictures.wasm'), join(folder, 'wasm/tessera-pictures.wasm'));
      assert.equal(check().status, 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    assert.match(packageFacts.scripts.prepack, /check_modules\.js/);
  });

  test('bundlers keep the script of the workers, and let modules of Node.js be', () => {
    assert.ok(packageFacts.sideEffects.includes(packageFacts.exports['./worker.js']), 'it works by being loaded');
    let imports = 0;
    for (const name of readdirSync(join(packageFolder, 'src'))) {
      for (const [given] of readFileSync(join(packageFolder, 'src', name), 'utf8').matchAll(/\bimport\([^;]*/g)) {
        ++imports;
        assert.match(given, /webpackIgnore: true.*@vite-ignore/, `${name}: ${given}`);
      }
    }
    assert.ok(imports > 0);
  });

  test('examples have 24 lines at most', () => {
    for (const name of ['node.mjs', 'three.mjs', 'webgl.html']) {
      const lines = readFileSync(join(packageFolder, 'examples', name), 'utf8').trimEnd().split('\n');
      assert.ok(lines.length <= 24, `${name} has ${lines.length}`);
      assert.ok(lines.every((line) => line.length <= 140), `${name} has lines that are too long`);
    }
  });

  test('the packed package installs into an empty folder and runs the example', { timeout: 120_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-pack-'));
    try {
      const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      const [{ filename, files }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], packageFolder));
      for (const wanted of ['index.js', 'index.d.ts', 'wasm/tessera.wasm', 'wasm/tessera-fractal.wasm', 'wasm/tessera-pictures.wasm', 'README.md', 'LICENSE', 'NOTICES.md']) {
        assert.ok(files.some(({ path }) => path === wanted), `${wanted} is in the package`);
      }
      assert.ok(!files.some(({ path }) => path.startsWith('test/')));
      writeFileSync(join(folder, 'package.json'), '{ "name": "user", "type": "module", "private": true }');
      npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], folder);
      cpSync(join(packageFolder, 'examples/node.mjs'), join(folder, 'node.mjs'));
      const said = execFileSync(process.execPath, ['node.mjs'], { cwd: folder, encoding: 'utf8' });
      assert.match(said, /dB/);
      assert.equal(readFileSync(join(folder, 'sample.ktx2')).subarray(1, 4).toString(), 'KTX');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
