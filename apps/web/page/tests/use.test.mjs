// The page as people use it: keyboard, pointer, maps, chart, passes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { encodePng, testPicture, testPng } from './support/images.mjs';
import {
  alertText, assertNoProblems, callIsHeld, chartIsComplete, choose, decodedPixels, download, drawnPixels, dropFile, failCalls, findWorkers,
  holdCalls, infoHas, largestDifference, letGo, pick, resultIsThere, sourcePixels,
} from './support/page.mjs';
import { useBrowser } from './support/session.mjs';

const session = useBrowser();

async function opened(width = 1400) {
  const page = await session.open();
  await page.setViewportSize({ width, height: 900 });
  await resultIsThere(page);
  await choose(page, { preset: 'fast' });
  await dropFile(page, 'small.png', testPng(96, 72));
  await page.waitForFunction(() => document.querySelector('#picture-info').textContent.includes('small.png'));
  await resultIsThere(page);
  return page;
}

const titleIs = (page, title) =>
  page.waitForFunction((text) => document.querySelector('#block-title').textContent === text, title);

test('blocks are explained under the keyboard cursor and spoken', async () => {
  const page = await opened();
  await page.focus('#viewer');
  await page.keyboard.press('ArrowRight');
  await titleIs(page, 'Block 8, 6');
  await page.keyboard.press('ArrowRight');
  await titleIs(page, 'Block 9, 6');
  await page.keyboard.press('ArrowUp');
  await titleIs(page, 'Block 9, 5');
  assert.match(await page.textContent('#block-spoken'), /^Block 9, 5\. .*\.$/);
  assert.match(await page.textContent('#block .facts'), /Partitions/);
  const names = await page.$$eval('#block figcaption', (all) => all.map(({ textContent }) => textContent));
  assert.ok(names.includes('Weights'), names.join());
  assert.equal(await page.$$eval('#block .texel-grid', (grids) => grids.at(-1).children.length), 36);
  for (const format of ['bc1', 'fractal']) {
    await choose(page, { format });
    await resultIsThere(page);
    await page.focus('#viewer');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#block .facts');
    assert.match(await page.textContent('#block-title'), format === 'bc1' ? /^Block 12, 9$/ : /^Leaf of \d+ × \d+ at/);
  }
  assertNoProblems(page);
  await page.close();
});

test('keys zoom, fit and move the divider; the wheel zooms, dragging pans', async () => {
  const page = await opened();
  const zoom = async () => Number.parseInt(await page.textContent('#zoom-value'), 10);
  await page.focus('#viewer');
  const fitted = await zoom();
  await page.keyboard.press('+');
  assert.ok((await zoom()) > fitted);
  await page.keyboard.press('1');
  assert.equal(await zoom(), 100);
  await page.keyboard.press('0');
  assert.equal(await zoom(), fitted);
  await page.keyboard.press(']');
  assert.equal(await page.getAttribute('#divider', 'aria-valuenow'), '52');
  await page.focus('#divider');
  await page.keyboard.press('Home');
  assert.equal(await page.getAttribute('#divider', 'aria-valuenow'), '0');
  const box = await page.locator('#viewer').boundingBox();
  // The divider has the focus, which is one with the viewer's: the wheel zooms.
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
  await page.waitForFunction(() => /\d/.test(document.querySelector('#block-title').textContent));
  await page.mouse.wheel(0, -600);
  await page.waitForFunction((least) => Number.parseInt(document.querySelector('#zoom-value').textContent, 10) > least, fitted * 2);
  await page.waitForSelector('#block .facts');
  const before = await page.textContent('#block-title');
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 3, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
  await page.waitForFunction((text) => document.querySelector('#block-title').textContent !== text, before);
  assertNoProblems(page);
  await page.close();
});

test('every map has a legend whose parts add up', async () => {
  const page = await opened();
  const maps = { astc: ['partitions', 'planes', 'endpoints', 'grid', 'error'], bc1: ['colors', 'contrast', 'error'], fractal: ['leaves', 'error'] };
  for (const [format, kinds] of Object.entries(maps)) {
    await choose(page, { format });
    await resultIsThere(page);
    for (const kind of kinds) {
      await page.selectOption('#map', kind);
      const name = await page.$eval('#map', (select) => select.selectedOptions[0].text);
      await page.waitForFunction((text) => document.querySelector('#legend-title').textContent === text, name);
      const parts = await page.$$eval('#legend b', (all) => all.map((part) => Number.parseFloat(part.textContent)));
      if (parts.length > 0) {
        const sum = parts.reduce((a, b) => a + b, 0);
        assert.ok(Math.abs(sum - 100) < 3, `${format} ${kind}: ${sum} %`);
      }
    }
  }
  assertNoProblems(page);
  await page.close();
});

/** Colours that are the same everywhere, and an alpha that blocks cannot hold. */
function alphaPng(width, height) {
  const data = new Uint8Array(width * height * 4).fill(128);
  for (let i = 3, seed = 1; i < data.length; i += 4) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    data[i] = seed >>> 24;
  }
  return encodePng(data, width, height);
}

test('the map of errors counts alpha where the picture has some', async () => {
  const page = await opened();
  await choose(page, { block: '12x12' });
  await page.selectOption('#map', 'error');
  const caption = (text) => page.waitForFunction((part) => document.querySelector('#legend-caption').textContent.includes(part), text);
  await caption('in red, green and blue, in');
  await dropFile(page, 'alpha.png', alphaPng(48, 48));
  await infoHas(page, 'alpha.png');
  await resultIsThere(page);
  await caption('in red, green, blue and alpha, in');
  const colors = await page.evaluate(async () => {
    const { pixels } = await globalThis.tessera.map('error');
    return [...pixels.data];
  });
  // Far off is bright; no error at all would be nearly black.
  for (let i = 0; i < colors.length; i += 4) assert.ok(colors[i] > 200, `a block has the red ${colors[i]}`);
  assertNoProblems(page);
  await page.close();
});

test('the chart is computed in the background and can be chosen from', async () => {
  const page = await opened();
  await chartIsComplete(page);
  assert.equal(await page.$$eval('#chart .point', (points) => points.length), 14);
  const rows = await page.$$eval('#chart-table tbody tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.equal(rows.length, 14);
  assert.equal(rows[0][0], '4x4');
  assert.ok(Number(rows[0][2]) > Number(rows[13][2]), 'small blocks are better than large ones');
  await page.focus('#chart .point[aria-label^="4x4"]');
  await page.keyboard.press('Enter');
  await resultIsThere(page);
  assert.equal(await page.inputValue('#block-size'), '4x4');
  await dropFile(page, 'larger.png', testPng(1024, 768));
  await page.waitForFunction(() => document.querySelector('#chart-button').textContent === 'Stop');
  await page.click('#chart-button');
  await page.waitForFunction(() => document.querySelector('#chart-status').textContent === 'The chart was stopped.');
  assertNoProblems(page);
  await page.close();
});

test('an encode stops the chart, which then goes on, and is spoken of twice', async () => {
  const page = await opened();
  await chartIsComplete(page);
  const [engine] = await findWorkers(page, 'tessera-engine');
  await page.evaluate(() => {
    globalThis.spoken = [];
    const status = document.querySelector('#chart-status');
    new MutationObserver(() => globalThis.spoken.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
  });
  await dropFile(page, 'next.png', testPng(100, 80));
  // The points of the picture before stay until the new one's come.
  await page.waitForFunction(() => globalThis.spoken.includes('The chart is complete.'));
  const spoken = (await page.evaluate(() => globalThis.spoken)).filter((text) => text !== '');
  assert.deepEqual(spoken, ['The chart is being computed.', 'The chart is complete.']);
  // The third point of another chart does not end before an encode of the same settings begins.
  await engine.evaluate(() => {
    const receive = self.onmessage;
    let points = 0;
    self.seen = [];
    self.onmessage = (event) => {
      const { method, id, abort } = event.data;
      if (method === 'chartPoint' && ++points === 3) self.slowPoint = id;
      if (abort && abort === self.slowPoint) {
        self.seen.push('the point is given up');
        self.postMessage({ id: abort, failure: { name: 'AbortError', message: 'The call was given up.' } });
      }
      if (method === 'encode') self.seen.push('encode');
      if (method !== 'chartPoint' || points !== 3) receive.call(self, event);
    };
  });
  await choose(page, { preset: 'realtime' });
  await page.waitForFunction(() => document.querySelector('#chart-count').textContent === ' 3 of 14…');
  await choose(page, { block: '8x8' });
  await resultIsThere(page);
  await page.waitForFunction(() => document.querySelectorAll('#chart .point').length === 14);
  assert.deepEqual(await engine.evaluate(() => self.seen), ['encode', 'the point is given up', 'encode']);
  await page.close();
});

test('a pass that arrives after its result is gone is not drawn', async () => {
  const page = await opened();
  const [engine] = await findWorkers(page, 'tessera-engine');
  await choose(page, { format: 'fractal' });
  await resultIsThere(page);
  await holdCalls(engine, 'passPixels');
  await page.click('#pass-less');
  await callIsHeld(engine);
  await choose(page, { format: 'astc' });
  await resultIsThere(page);
  await letGo(engine);
  assert.equal(largestDifference(await drawnPixels(page), await decodedPixels(page)), 0);
  await page.close();
});

test('passes that are asked for faster than they come do not queue up: the last one is shown', async () => {
  const page = await opened();
  const [engine] = await findWorkers(page, 'tessera-engine');
  await choose(page, { format: 'fractal' });
  await resultIsThere(page);
  await holdCalls(engine, 'passPixels');
  await engine.evaluate(() => {
    const receive = self.onmessage;
    self.passes = [];
    self.onmessage = (event) => {
      if (event.data.method === 'passPixels') self.passes.push(event.data.argument);
      receive.call(self, event);
    };
  });
  for (let i = 0; i < 3; ++i) await page.click('#pass-less');
  await callIsHeld(engine);
  await letGo(engine);
  await page.waitForFunction(() => document.querySelector('#pass-text').textContent.startsWith('Before the first pass'));
  assert.deepEqual(await engine.evaluate(() => self.passes), [2, 0]);
  await page.close();
});

test('an error after the result has come is told', async () => {
  const page = await opened();
  const [engine] = await findWorkers(page, 'tessera-engine');
  await failCalls(engine, 'leaves');
  await choose(page, { format: 'fractal' });
  assert.equal(await alertText(page), 'The test asked for a failure.');
  await page.close();
});

test('the viewer is described by what a screen reader can read', async () => {
  const page = await opened();
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const viewer = nodes.find(({ role }) => role?.value === 'application');
  assert.match(viewer.description?.value ?? '', /Plus and minus zoom/);
  await page.close();
});

test('the passes of a fractal image bring it nearer to the original', async () => {
  const page = await opened();
  await choose(page, { format: 'fractal' });
  await resultIsThere(page);
  const decibels = async () => Number(/([\d.]+) dB/.exec(await page.textContent('#pass-text'))[1]);
  const last = await decibels();
  for (let i = 0; i < 3; ++i) await page.click('#pass-less');
  await page.waitForFunction(() => document.querySelector('#pass-text').textContent.startsWith('Before the first pass'));
  const first = await decibels();
  assert.ok(first < last, `${first} dB before, ${last} dB after`);
  await page.click('#pass-play');
  await page.waitForFunction(() => document.querySelector('#pass-text').textContent.startsWith('After 3 of 3'));
  assert.equal(await decibels(), last);
  assertNoProblems(page);
  await page.close();
});

test('the theme follows the system until the button says otherwise', async () => {
  const page = await session.open();
  const theme = () => page.getAttribute('html', 'data-theme');
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    await page.waitForSelector(`html[data-theme="${colorScheme}"]`);
  }
  await page.click('#theme');
  assert.equal(await theme(), 'dark');
  assert.equal(await page.getAttribute('#theme', 'aria-pressed'), 'true');
  await page.reload();
  assert.equal(await theme(), 'dark');
  await page.close();
});

test('pictures come from a file, the clipboard, and a texture that was downloaded', async () => {
  const page = await opened();
  await page.setInputFiles('#file', { name: 'chosen.png', mimeType: 'image/png', buffer: testPng(33, 22) });
  await infoHas(page, 'chosen.png: 33 × 22');
  await resultIsThere(page);
  await page.evaluate((text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, testPng(20, 30, { alpha: true }).toString('base64'));
  await infoHas(page, 'pasted.png: 20 × 30 pixels, with transparency');
  await resultIsThere(page);
  for (const container of ['ktx2', 'astc']) {
    const bytes = await readFile(await download(page, container));
    await dropFile(page, `again.${container}`, bytes, '');
    await infoHas(page, `again.${container}: 20 × 30`);
    await resultIsThere(page);
  }
  for (const kind of ['interface', 'sprite', 'normal-map', 'noise']) {
    await page.click(`#samples button[data-kind="${kind}"]`);
    await page.waitForSelector(`#samples button[data-kind="${kind}"][aria-pressed="true"]`);
    await resultIsThere(page);
  }
  assertNoProblems(page);
  await page.close();
});

test('two fingers zoom, one pans', async () => {
  const page = await opened(420);
  await pick(page, 'view', 'result');
  const client = await page.context().newCDPSession(page);
  const box = await page.locator('#viewer').boundingBox();
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const touch = (type, ...distances) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: distances.map((distance, id) => ({ x: middle.x + distance, y: middle.y - 40, id })),
    });
  const zoom = () => page.$eval('#zoom-value', (output) => Number.parseInt(output.textContent, 10));
  const before = await zoom();
  await touch('touchStart', -30, 30);
  for (const distance of [40, 60, 80, 100]) await touch('touchMove', -distance, distance);
  await touch('touchEnd');
  await page.waitForFunction((least) => Number.parseInt(document.querySelector('#zoom-value').textContent, 10) > least, before * 2);
  assertNoProblems(page);
  await page.close();
});

test('pictures arrive with every pixel as it is in the file', async () => {
  const page = await opened();
  for (const alpha of [false, true]) {
    const name = alpha ? 'transparent.png' : 'opaque.png';
    await dropFile(page, name, testPng(70, 50, { alpha }));
    await page.waitForFunction((part) => document.querySelector('#picture-info').textContent.includes(part), name);
    await resultIsThere(page);
    assert.equal(largestDifference(await sourcePixels(page), testPicture(70, 50, { alpha })), 0, name);
  }
  assertNoProblems(page);
  await page.close();
});
