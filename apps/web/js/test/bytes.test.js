// The bytes are those of the native command, whatever the format, the preset and the number of
// workers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import {
  decodeNatively,
  encodeNatively,
  firstDifference,
  newFile,
  openTessera,
  pictureWithAlpha,
  readPicture,
  runNative,
} from './helpers.js';
import { decodePng } from '../../page/tests/support/images.mjs';

/** A picture's green in all colours, with an alpha of its own. */
function greyOf({ data, width, height }, alphaAt) {
  const grey = new Uint8ClampedArray(data.length);
  for (let i = 0; i < width * height; ++i) {
    grey.fill(data[4 * i + 1], 4 * i, 4 * i + 3);
    grey[4 * i + 3] = alphaAt(i % width, Math.floor(i / width));
  }
  return { data: grey, width, height };
}

const usual = { astc: 'ktx2', bc1: 'dds', fractal: 'tsf' };

describe('bytes', () => {
  let tessera;
  const pictures = {};

  before(async () => {
    tessera = await openTessera();
    pictures.photo = await tessera.sample('photo', 261, 187, 7);
    pictures.alpha = pictureWithAlpha(130, 70);
    pictures.sprite = await tessera.sample('sprite', 96, 64, 2);
    pictures.interface = await tessera.sample('interface', 200, 100, 5);
    pictures.grey = greyOf(pictures.photo, () => 255);
    pictures.greyAlpha = greyOf(pictures.photo, (x, y) => (x < 130 ? 255 : (3 * x + 5 * y) % 256));
    pictures.large = await tessera.sample('photo', 1030, 517, 3);
    pictures.dot = { data: new Uint8ClampedArray([1, 2, 3, 4]), width: 1, height: 1 };
    pictures.line = await tessera.sample('noise', 77, 1, 9);
  });

  /** Encodes with both and compares the files, and the pixels of the largest level. */
  async function check(name, options) {
    const picture = pictures[name];
    const format = options.format ?? 'astc';
    const container = options.container ?? usual[format];
    const args = ['--format', format];
    for (const key of ['block', 'preset', 'quality', 'profile', 'method']) {
      if (options[key] !== undefined) args.push(`--${key}`, options[key]);
    }
    if (options.mips) args.push('--mips');
    if (options.linear) args.push('--linear');
    for (const [key, value] of Object.entries(options.options ?? {})) {
      args.push(...(value === true ? [`--${key}`] : [`--${key}`, value]));
    }
    const expected = encodeNatively(picture, container, ...args);
    const result = await tessera.encode(picture, options);
    assert.equal(firstDifference(result.bytes, expected), -1, 'the files differ');
    const { data } = await tessera.decode(result.bytes, { profile: options.profile });
    const profile = format === 'astc' && options.profile ? ['--profile', options.profile] : [];
    const pixels = decodeNatively(expected, container, ...profile);
    assert.equal(firstDifference(data, pixels.data), -1, 'the pixels differ');
  }

  const matrix = [];
  for (const block of ['4x4', '5x4', '6x6', '8x5', '12x12']) {
    for (const preset of ['realtime', 'fast', 'medium']) matrix.push(['photo', { block, preset }]);
  }
  matrix.push(
    ...['realtime', 'fast', 'medium', 'thorough'].flatMap((preset) => [
      ['grey', { block: '6x6', preset }],
      ['greyAlpha', { block: '5x4', preset }],
      ['greyAlpha', { block: '8x8', preset }],
    ]),
    ...['6x5', '10x5', '10x6', '10x8', '10x10', '12x10'].flatMap((block) => [
      ['photo', { block, preset: 'fast' }],
      ['alpha', { block, preset: 'medium', profile: 'srgb' }],
    ]),
    ['sprite', { block: '4x4', preset: 'thorough' }],
    ['sprite', { block: '8x8', preset: 'exhaustive' }],
    ['large', { block: '4x4', preset: 'realtime' }],
    ['large', { block: '6x6', preset: 'fast' }],
    ['alpha', { block: '6x6', preset: 'medium' }],
    ['alpha', { block: '5x5', preset: 'fast', profile: 'srgb' }],
    ['interface', { block: '4x4', preset: 'fast', profile: 'srgb', mips: true }],
    ['photo', { block: '6x6', quality: 37 }],
    ['photo', { block: '4x4', preset: 'fast', container: 'astc' }],
    ['photo', { block: '8x6', preset: 'fast', mips: true, linear: true }],
    ['photo', { block: '6x6', preset: 'fast', options: { 'channel-weights': '3,6,1,2' } }],
    ['photo', { block: '6x6', preset: 'fast', options: { swizzle: 'bgra' } }],
    ['photo', { block: '6x6', preset: 'fast', mips: true, options: { as: 'normal' } }],
    ['alpha', { block: '6x6', preset: 'fast', mips: true, options: { as: 'alpha' } }],
    ['interface', { block: '4x4', preset: 'fast', options: { as: 'ui' } }],
    ['dot', { block: '6x6' }],
    ['line', { block: '5x5', mips: true }],
    ['dot', { format: 'bc1' }],
  );
  for (const preset of ['realtime', 'fast', 'medium', 'thorough', 'exhaustive']) {
    matrix.push(['photo', { format: 'bc1', preset }]);
  }
  matrix.push(
    ['large', { format: 'bc1', preset: 'realtime', mips: true }],
    ['alpha', { format: 'bc1', preset: 'fast', options: { 'punch-through': true } }],
    ['photo', { format: 'bc1', method: 'cluster', container: 'ktx2' }],
    ['photo', { format: 'bc1', method: 'bounds', mips: true }],
    ['photo', { format: 'fractal' }],
    ['interface', { format: 'fractal', quality: 80 }],
    ['alpha', { format: 'fractal', quality: 20, options: { pure: true } }],
  );
  for (const [name, options] of matrix) {
    test(`${name} ${JSON.stringify(options)}`, () => check(name, options));
  }

  const { TESSERA_PHOTOGRAPH: photograph } = process.env;
  const skip = photograph ? false : '#### SKIPPED: TESSERA_PHOTOGRAPH names no PNG of a photograph';
  test('a real photograph, which is not part of the project', { skip }, async () => {
    pictures.real = decodePng(readFileSync(photograph));
    for (const options of [{ block: '4x4', preset: 'realtime' }, { block: '6x6', mips: true }, { format: 'bc1' }, { format: 'fractal' }]) {
      await check('real', options);
    }
  });

  test('the pixels are those of the moment of the call', async () => {
    const { data, width, height } = pictures.photo;
    for (const options of [{ block: '6x6', preset: 'fast' }, { format: 'bc1' }, { format: 'fractal' }, { block: '8x8', mips: true }]) {
      const other = await openTessera(); // which has loaded no module for fractal images, and knows no plan
      const expected = await tessera.encode(pictures.photo, options);
      for (let i = 0; i < 2; ++i) {
        const changing = { data: data.slice(), width, height };
        const encoding = other.encode(changing, options);
        changing.data.fill(0);
        changing.width = changing.height = 0; // as those of a bitmap that is closed
        const { bytes, ...made } = await encoding;
        assert.equal(firstDifference(bytes, expected.bytes), -1, JSON.stringify(options));
        for (const name of ['width', 'height', 'bitsPerPixel']) assert.equal(made[name], expected[name], name);
      }
    }
  });

  test('bytes of files are those of the moment of the call', async () => {
    for (const options of [{ preset: 'realtime' }, { format: 'fractal' }]) {
      const { bytes } = await tessera.encode(pictures.photo, options);
      const expected = await tessera.decode(bytes);
      const other = await openTessera();
      const changing = bytes.slice();
      const decoding = other.decode(changing);
      changing.fill(0);
      assert.equal(firstDifference((await decoding).data, expected.data), -1, JSON.stringify(options));
    }
  });

  test('bare blocks are the payload of the file', async () => {
    const options = { block: '6x6', preset: 'fast', mips: true };
    const file = await tessera.encode(pictures.photo, options);
    const bare = await tessera.encode(pictures.photo, { ...options, container: 'blocks' });
    assert.equal(bare.levels.length, file.levels.length);
    for (const [i, level] of bare.levels.entries()) {
      const cut = ({ bytes }, { byteOffset, byteLength }) =>
        bytes.subarray(byteOffset, byteOffset + byteLength);
      assert.equal(firstDifference(cut(bare, level), cut(file, file.levels[i])), -1);
    }
  });

  test('it does not matter where in its memory a picture lies, nor how often it is encoded', async () => {
    const { data, width, height } = pictures.photo;
    const options = { format: 'astc', block: '6x6', preset: 'fast', container: 'blocks' };
    const first = await tessera.encode(pictures.photo, options);
    const memory = new Uint8Array(data.length + 3);
    memory.set(data, 3);
    const shifted = { data: memory.subarray(3), width, height };
    for (let i = 0; i < 2; ++i) {
      const again = await tessera.encode(shifted, options);
      assert.equal(firstDifference(again.bytes, first.bytes), -1);
    }
  });

  test('the number of workers does not change the bytes', async () => {
    const options = { block: '4x4', preset: 'fast' };
    const { bytes } = await tessera.encode(pictures.large, options);
    for (const workers of [1, 5]) {
      const other = await openTessera({ workers });
      const result = await other.encode(pictures.large, options);
      assert.equal(firstDifference(result.bytes, bytes), -1, `${workers} workers`);
    }
  });

  test('samples are those of the command', async () => {
    for (const kind of ['photo', 'interface', 'sprite', 'normal-map', 'noise', 'constant']) {
      const file = newFile('tga');
      runNative('sample', '--kind', kind, '--size', '61x43', '--seed', 11, '-o', file, '--quiet');
      const { data } = await tessera.sample(kind, 61, 43, 11);
      assert.equal(firstDifference(data, readPicture(file).data), -1, kind);
    }
  });
});
