// Decoding, comparing and inspecting.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { endpointModeNames, isometryNames } from '../index.js';
import { command, decodeNatively, firstDifference, newFile, openTessera, writePicture } from './helpers.js';

describe('decoding', () => {
  let tessera;
  let photo;
  before(async () => {
    tessera = await openTessera();
    photo = await tessera.sample('photo', 203, 121, 4);
  });

  test('every mip level is what the command decodes', async () => {
    const { bytes, levels } = await tessera.encode(photo, { block: '6x6', preset: 'fast', mips: true });
    assert.equal(levels.length, 8);
    for (const [level, { width, height }] of levels.entries()) {
      const decoded = await tessera.decode(bytes, { level });
      assert.deepEqual([decoded.width, decoded.height], [width, height]);
      const { data } = decodeNatively(bytes, 'ktx2', '--level', level);
      assert.equal(firstDifference(decoded.data, data), -1, `level ${level}`);
    }
  });

  test('raw blocks need to be described', async () => {
    const options = { block: '8x8', preset: 'realtime', profile: 'ldr' };
    const file = await tessera.encode(photo, options);
    const { bytes } = await tessera.encode(photo, { ...options, container: 'blocks' });
    const raw = { format: 'astc', block: '8x8', width: 203, height: 121 };
    const decoded = await tessera.decode(bytes, { raw });
    const { data } = await tessera.decode(file.bytes);
    assert.equal(firstDifference(decoded.data, data), -1);
    await assert.rejects(tessera.decode(bytes, { raw: { ...raw, width: 300 } }), /take \d+ bytes/);
  });

  test('decoding options are the command\'s', async () => {
    const { bytes } = await tessera.encode(photo, { block: '4x4', preset: 'fast' });
    const decoded = await tessera.decode(bytes, { options: { 'decode-mode': 'unorm8' } });
    const { data } = decodeNatively(bytes, 'ktx2', '--decode-mode', 'unorm8');
    assert.equal(firstDifference(decoded.data, data), -1);
  });

  test('fractal images are decoded pass by pass, and at twice the size', async () => {
    const { bytes } = await tessera.encode(photo, { format: 'fractal', quality: 60 });
    const pictures = [];
    for (const passes of [0, 1, 2, 5]) {
      const decoded = await tessera.decode(bytes, { passes });
      const { data } = decodeNatively(bytes, 'tsf', '--iterations', passes);
      assert.equal(firstDifference(decoded.data, data), -1, `${passes} passes`);
      pictures.push(decoded);
    }
    assert.notEqual(firstDifference(pictures[0].data, pictures[1].data), -1);
    const large = await tessera.decode(bytes, { scale: 2 });
    assert.deepEqual([large.width, large.height], [406, 242]);
  });

  test('a comparison has the command\'s figures and the error of each block', async () => {
    const { bytes } = await tessera.encode(photo, { block: '6x6', preset: 'realtime' });
    const decoded = await tessera.decode(bytes);
    const result = await tessera.compare(photo, decoded, { block: '6x6' });
    const texture = newFile('ktx2');
    writeFileSync(texture, bytes);
    const report = JSON.parse(
      execFileSync(command, ['compare', writePicture(photo), texture, '--json'], { encoding: 'utf8' }),
    );
    const text = JSON.stringify(report);
    assert.ok(text.includes(result.psnrRgb.toString().slice(0, 8)), `${result.psnrRgb} in ${text}`);
    assert.ok(text.includes(result.ssim.toString().slice(0, 7)), `${result.ssim} in ${text}`);
    assert.deepEqual([result.blocksAcross, result.blocksDown], [34, 21]);
    const errors = new Float64Array(34 * 21);
    let largest = 0;
    for (let i = 0; i < photo.data.length; ++i) {
      const difference = photo.data[i] - decoded.data[i];
      largest = Math.max(largest, Math.abs(difference));
      if (i % 4 === 3) continue;
      const x = (i >> 2) % 203;
      const y = Math.floor((i >> 2) / 203);
      errors[Math.floor(y / 6) * 34 + Math.floor(x / 6)] += difference ** 2;
    }
    assert.equal(result.maxError, largest);
    assert.equal(firstDifference(result.blockSquaredErrors, errors), -1);
    const same = await tessera.compare(photo, photo);
    assert.equal(same.psnrRgb, Infinity);
    assert.equal(same.ssim, 1);
  });

  test('facts of ASTC blocks are those that the command counts', async () => {
    const { bytes } = await tessera.encode(photo, { block: '5x5', preset: 'medium' });
    const facts = await tessera.inspect(bytes);
    const file = newFile('ktx2');
    writeFileSync(file, bytes);
    const args = ['info', file, '--blocks', '--json'];
    const { blocks } = JSON.parse(execFileSync(command, args, { encoding: 'utf8' }));
    const count = (array, value) => array.reduce((sum, v) => sum + (v === value ? 1 : 0), 0);
    assert.equal(facts.kinds.length, blocks.blocks);
    assert.equal(count(facts.kinds, 1), blocks.void_extents);
    assert.equal(count(facts.planes, 2), blocks.dual_planes);
    for (const number of [1, 2, 3, 4]) {
      assert.equal(count(facts.partitions, number), blocks.partitions[number]);
    }
    for (const [name, number] of Object.entries(blocks.endpoint_modes)) {
      assert.equal(count(facts.endpointModes, Number.parseInt(name, 10)), number, name);
    }
  });

  test('each kind of block is explained', async () => {
    for (const options of [
      { block: '6x6', preset: 'medium' },
      { format: 'bc1' },
      { format: 'fractal', quality: 70, options: { pure: true } },
    ]) {
      const { bytes } = await tessera.encode(photo, options);
      const facts = await tessera.inspect(bytes);
      let domains = 0;
      for (let y = 3; y < 121; y += 29) {
        for (let x = 2; x < 203; x += 31) {
          const { rect, sentences, facts: table, domain } = await tessera.explain(facts, x, y);
          assert.ok(rect.x <= x && x < rect.x + rect.width && rect.y <= y && y < rect.y + rect.height);
          assert.ok(sentences.length > 0 && sentences.every((text) => /^[A-Z].*\.$/.test(text)), sentences.join());
          assert.ok(table.length >= 3);
          if (domain) {
            domains += 1;
            assert.ok(domain.x + domain.width <= 256 && domain.width === 2 * rect.width);
          }
        }
      }
      if (options.format === 'fractal') assert.ok(domains > 0);
    }
    assert.equal(endpointModeNames.length, 16);
    assert.equal(isometryNames.length, 8);
  });

  test('an explained ASTC block has the weights that its texels are made with', async () => {
    const data = new Uint8ClampedArray(4 * 4 * 4);
    for (let i = 0; i < 16; ++i) data.set([17 * i, 17 * i, 17 * i, 255], 4 * i);
    const { bytes } = await tessera.encode({ data, width: 4, height: 4 }, { block: '4x4', preset: 'thorough' });
    const facts = await tessera.inspect(bytes);
    const { weights, secondWeights, endpoints, texels } = await tessera.explain(facts, 1, 1);
    const decoded = await tessera.decode(bytes);
    assert.equal(secondWeights.length, 0);
    assert.equal(weights.length, 16);
    weights.forEach((weight, i) => {
      const { low, high } = endpoints[texels[i]];
      const expected = low[0] + ((high[0] - low[0]) * weight) / 64;
      assert.ok(Math.abs(decoded.data[4 * i] - expected) <= 1, `texel ${i}: ${decoded.data[4 * i]}, ${expected}`);
    });
  });

  test('an explained ASTC block tells the texels that it decodes to', async () => {
    const flat = await tessera.sample('constant', 8, 8, 3);
    const { bytes } = await tessera.encode(flat, { block: '8x8' });
    const facts = await tessera.inspect(bytes);
    assert.equal(facts.kinds[0], 1);
    const { endpoints } = await tessera.explain(facts, 0, 0);
    assert.deepEqual(endpoints[0].low, Array.from(flat.data.subarray(0, 4)));
  });
});
