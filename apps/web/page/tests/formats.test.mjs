// A dropped picture in every format: what the driver draws, and what the native command decodes from
// the downloads, are the pixels that the library decodes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodePng, testPng } from './support/images.mjs';
import {
  assertNoProblems, choose, decodedPixels, download, drawnPixels, dropFile, largestDifference, resultIsThere,
} from './support/page.mjs';
import { useBrowser } from './support/session.mjs';

const blocks = ['4x4', '5x4', '5x5', '6x5', '6x6', '8x5', '8x6', '8x8', '10x5', '10x6', '10x8', '10x10', '12x10', '12x12'];
const command = process.env.TESSERA;
const session = useBrowser();

async function openWith(file) {
  const page = await session.open();
  await resultIsThere(page);
  await choose(page, { preset: 'fast' });
  await dropFile(page, 'dropped.png', file);
  await resultIsThere(page);
  return page;
}

async function drawnDifference(page, how = 'driver') {
  assert.equal(await page.getAttribute('#drawing', 'data-how'), how);
  return largestDifference(await drawnPixels(page), await decodedPixels(page));
}

test('the driver draws every ASTC format as the library decodes it', async (t) => {
  const page = await openWith(testPng(97, 61, { alpha: true }));
  const largest = { ldr: 0, srgb: 0 };
  for (const profile of ['ldr', 'srgb']) {
    for (const block of blocks) {
      await choose(page, { profile, block });
      await resultIsThere(page);
      const difference = await drawnDifference(page);
      largest[profile] = Math.max(largest[profile], difference);
      assert.ok(difference <= (profile === 'srgb' ? 1 : 0), `${block} ${profile} differs by ${difference}`);
    }
  }
  t.diagnostic(`largest difference: linear ${largest.ldr}, sRGB ${largest.srgb}`);
  assertNoProblems(page);
  await page.close();
});

test('the driver draws BC1, and fractal images are decoded', async () => {
  const page = await openWith(testPng(97, 61));
  await choose(page, { format: 'bc1' });
  await resultIsThere(page);
  assert.equal(await drawnDifference(page), 0);
  await choose(page, { format: 'fractal' });
  await resultIsThere(page);
  assert.equal(await drawnDifference(page, 'decoded'), 0);
  assertNoProblems(page);
  await page.close();
});

test('the button compares what is drawn with what is decoded', async () => {
  const page = await openWith(testPng(97, 61));
  await page.click('#check-driver');
  await page.waitForFunction(() => document.querySelector('#check-answer').textContent !== '');
  assert.equal(await page.textContent('#check-answer'), `All ${(97 * 61).toLocaleString('en')} texels are equal.`);
  await page.close();
});

test('downloads decode natively to the same pixels', { skip: skipReason() }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-downloads-'));
  try {
    const page = await openWith(testPng(97, 61));
    const cases = [
      [{ format: 'astc', block: '6x6', profile: 'ldr' }, ['ktx2', 'astc']],
      [{ format: 'astc', block: '10x8', profile: 'srgb' }, ['ktx2', 'astc']],
      [{ format: 'bc1' }, ['dds', 'ktx2']],
      [{ format: 'fractal' }, ['tsf']],
    ];
    for (const [settings, containers] of cases) {
      await choose(page, settings);
      await resultIsThere(page);
      const expected = await decodedPixels(page);
      for (const container of containers) {
        const file = join(folder, `download.${container}`);
        await copyFile(await download(page, container), file);
        const decoded = join(folder, 'decoded.png');
        const profile = settings.profile ? ['--profile', settings.profile] : [];
        execFileSync(command, ['decode', file, '-o', decoded, '--quiet', ...profile]);
        const difference = largestDifference(decodePng(await readFile(decoded)), expected);
        assert.equal(difference, 0, `${JSON.stringify(settings)} as ${container}`);
      }
    }
    assertNoProblems(page);
    await page.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function skipReason() {
  if (command && existsSync(command)) return false;
  if (process.env.TESSERA_WEB_REQUIRED) throw new Error('The variable TESSERA does not name the native command.');
  const reason = 'the variable TESSERA does not name the native command';
  console.error(`#### SKIPPED: downloads are not decoded natively, because ${reason}.`);
  return reason;
}
