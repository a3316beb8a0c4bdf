// The page of tiles: compressed textures on the screen, memory that stays flat, failures.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { alertText, assertNoProblems, assertSentence, crash, failCalls, findWorkers, keepLoseContext, patience, stopFailing, withoutScript } from './support/page.mjs';
import { useBrowser } from './support/session.mjs';

const session = useBrowser();
const metrics = '#tile-metrics';

async function tilesReach(page, count) {
  await page.waitForFunction(([where, least]) => Number(document.querySelector(where).dataset.tiles) >= least, [metrics, count], { polling: 100 });
}

const tileCount = (page) => page.$eval(metrics, (list) => Number(list.dataset.tiles));
const encoderBytes = (page) => page.$eval(metrics, (list) => Number(list.dataset.memory));
const textureCount = (page) => page.$eval(metrics, (list) => Number(list.dataset.textures));

/** Scrolls until so many tiles have been compressed. */
async function scrollUntil(page, count) {
  for (let step = 0; (await tileCount(page)) < count; ++step) {
    assert.ok(step < 1000, `${count} tiles are never reached`);
    await page.evaluate(() => document.querySelector('#tiles-view').scrollBy(0, 600));
    await page.waitForTimeout(120);
  }
}

/**
 * Scrolls until tiles have been compressed after this call. The count that is shown now may be too small by the tiles in
 * view, of which there are 42 at most, and by those of the panel's last quarter of a second: together fewer than 100.
 */
const scrollToNewTiles = async (page) => scrollUntil(page, (await tileCount(page)) + 100);

/** Waits until the panel shows numbers of a format, by the share of four bytes a pixel that its tiles take. */
async function panelShows(page, share) {
  await page.waitForFunction(([where, text]) => document.querySelector(where).textContent.includes(text), [metrics, `, ${share}`], { polling: 100 });
}

const colorsOfMap = (page) =>
  page.evaluate(async () => {
    const small = new OffscreenCanvas(32, 32).getContext('2d');
    small.drawImage(await createImageBitmap(document.querySelector('#tiles-canvas')), 0, 0, 32, 32);
    return new Set(new Uint32Array(small.getImageData(0, 0, 32, 32).data.buffer)).size;
  });

/** Waits until the map has more colours than one that is empty. */
async function mapIsDrawn(page) {
  const end = Date.now() + patience;
  while ((await colorsOfMap(page)) <= 16) {
    assert.ok(Date.now() < end, 'the map is never drawn');
    await page.waitForTimeout(100);
  }
}

/** Waits until tiles have arrived in view. */
async function decodedTilesAreDrawn(page) {
  await page.waitForFunction(() => document.querySelector('#tile-drawing').textContent.endsWith('decoded in WebAssembly, and no memory is saved.'));
  await scrollToNewTiles(page);
  await mapIsDrawn(page);
}

/** Bytes of the processes that run the page and draw it, or null where the system does not tell. */
async function processBytes(page) {
  const client = await page.context().browser()?.newBrowserCDPSession();
  const answer = await client?.send('SystemInfo.getProcessInfo');
  if (!answer) return null;
  const ours = answer.processInfo.filter(({ type }) => type === 'renderer' || type === 'GPU');
  const sizes = await Promise.all(ours.map(({ id }) => residentBytes(id)));
  return sizes.reduce((sum, size) => sum + size, 0) || null;
}

async function residentBytes(id) {
  const text = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) * 1024;
}

async function memoryNow(page) {
  const heap = await page.evaluate(async () => {
    for (let i = 0; i < 3; ++i) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return performance.memory.usedJSHeapSize;
  });
  return { heap, process: await processBytes(page) };
}

test('memory stays flat over 500 tiles', async (t) => {
  const page = await session.open('tiles.html');
  await scrollUntil(page, 150);
  const before = await memoryNow(page);
  const texturesBefore = await textureCount(page);
  const encoderBefore = await encoderBytes(page);
  const begun = Date.now();
  await scrollUntil(page, 650);
  const seconds = (Date.now() - begun) / 1000;
  const after = await memoryNow(page);
  const inMegabytes = (bytes) => (bytes === null ? '?' : (bytes / 1e6).toFixed(1));
  t.diagnostic(`heap ${inMegabytes(before.heap)} to ${inMegabytes(after.heap)} MB, processes ${inMegabytes(before.process)} to ${inMegabytes(after.process)} MB, ${seconds.toFixed(1)} s`);
  t.diagnostic((await page.innerText(metrics)).replace(/\s+/g, ' '));
  // 500 tiles of four bytes a pixel, which the software driver expands blocks to, would be 131 MB.
  assert.ok(after.heap - before.heap < 4e6, 'the heap does not grow');
  if (before.process !== null && after.process !== null) assert.ok(after.process - before.process < 60e6, 'the processes do not grow');
  assert.equal(await encoderBytes(page), encoderBefore, 'the encoder takes no more memory');
  assert.ok((await textureCount(page)) <= texturesBefore + 8, 'textures are used again');
  assertNoProblems(page);
  await page.close();
});

test('tiles are drawn by the driver in every format, and the map scrolls by itself', async () => {
  const page = await session.open('tiles.html');
  for (const [format, share] of [['astc 6x6', '11 %'], ['astc 8x8', '6.3 %'], ['bc1 4x4', '13 %'], ['astc 4x4', '25 %']]) {
    await page.selectOption('#tile-format', format);
    // From here on the tiles that are counted are of this format.
    await panelShows(page, share);
    await tilesReach(page, 6);
    assert.match(await page.textContent(metrics), /Frames missed0of 0 while the map moved/);
    const extension = format.startsWith('bc1') ? /_s3tc/ : /_astc/;
    assert.match(await page.textContent('#tile-drawing'), extension);
  }
  const before = await tileCount(page);
  await page.click('#tile-scroll');
  await tilesReach(page, before + 20);
  await page.click('#tile-scroll');
  await mapIsDrawn(page);
  const [, missed, all] = /Frames missed([\d,]+)of ([\d,]+) while the map moved/.exec(await page.textContent(metrics)).map((text) => Number(text.replaceAll(',', '')));
  assert.ok(all > 0 && missed <= all, `${missed} frames of ${all} were missed`);
  assertNoProblems(page);
  await page.close();
});

test('the scroll position is set back at both ends without a gap in the map', async () => {
  const page = await session.open('tiles.html');
  await tilesReach(page, 6);
  const row = () => page.evaluate(() => document.querySelector('#tiles-view').scrollTop / 256);
  for (const end of [18_001, 1999]) {
    await page.evaluate((row) => (document.querySelector('#tiles-view').scrollTop = row * 256), end);
    await page.waitForFunction(() => Math.abs(document.querySelector('#tiles-view').scrollTop / 256 - 10_000) < 20);
    await scrollToNewTiles(page);
  }
  assert.ok((await row()) > 9000, 'there is as much map above as below');
  assertNoProblems(page);
  await page.close();
});

test('a driver without compressed textures', async () => {
  const hideTextures = () => {
    const original = WebGL2RenderingContext.prototype.getExtension;
    WebGL2RenderingContext.prototype.getExtension = function (name) {
      return name.includes('compressed_texture') ? null : original.call(this, name);
    };
  };
  const page = await session.open('tiles.html', { workers: ['tile-render-worker', hideTextures] });
  await tilesReach(page, 10);
  assert.match(await page.textContent('#tile-drawing'), /decoded in WebAssembly, and no memory is saved\.$/);
  await panelShows(page, '25 %');
  assert.match(await page.textContent(metrics), /Memory saved0 B[\d.]+ MB are taken, as without compression/);
  await mapIsDrawn(page);
  assertNoProblems(page);
  await page.close();
});

async function openedToLose() {
  const page = await session.open('tiles.html', { workers: ['tile-render-worker', keepLoseContext] });
  await tilesReach(page, 6);
  const [renderer] = await findWorkers(page, 'tessera-tile-renderer');
  await renderer.evaluate(() => self.loseContext.loseContext());
  assertSentence(await alertText(page), /^The graphics driver has dropped the tiles/);
  return { page, renderer };
}

test('a lost context and a crashed worker', async () => {
  const { page, renderer } = await openedToLose();
  await renderer.evaluate(() => self.loseContext.restoreContext());
  await page.waitForSelector('#alert', { state: 'hidden' });
  await scrollToNewTiles(page);
  assert.match(await page.textContent('#tile-drawing'), /_astc/);
  await mapIsDrawn(page);
  const [worker] = await findWorkers(page, 'tessera-tiles');
  await crash(worker);
  assertSentence(await alertText(page), /^The worker that compresses tiles has crashed/);
  await scrollToNewTiles(page);
  await page.close();
});

test('a context that stays lost gives way to a plain canvas', async () => {
  const { page } = await openedToLose();
  await decodedTilesAreDrawn(page);
  assert.equal(await page.isVisible('#alert'), false);
  await page.close();
});

test('a worker that draws tiles and crashes gives way to a plain canvas', async () => {
  const page = await session.open('tiles.html');
  await tilesReach(page, 6);
  const [renderer] = await findWorkers(page, 'tessera-tile-renderer');
  await crash(renderer);
  await decodedTilesAreDrawn(page);
  await page.close();
});

test('a worker that draws tiles and cannot be started gives way to a plain canvas', async () => {
  const page = await session.open('tiles.html', withoutScript('tile-render-worker'));
  await decodedTilesAreDrawn(page);
  await page.selectOption('#tile-format', 'bc1 4x4');
  await panelShows(page, '13 %');
  assert.equal(await page.isVisible('#alert'), false);
  await page.close();
});

test('browsers without WebGL in workers draw tiles on a plain canvas', async () => {
  const hideWebGl = () => {
    OffscreenCanvas.prototype.getContext = () => null;
  };
  const keepCanvases = () => {
    delete HTMLCanvasElement.prototype.transferControlToOffscreen;
  };
  for (const options of [{ workers: ['tile-render-worker', hideWebGl] }, { init: keepCanvases }]) {
    const page = await session.open('tiles.html', options);
    await decodedTilesAreDrawn(page);
    await page.selectOption('#tile-format', 'bc1 4x4');
    await panelShows(page, '13 %');
    await mapIsDrawn(page);
    assertNoProblems(page);
    await page.close();
  }
});

test('the map is drawn by a worker, and only when there is something else to be seen', async () => {
  const countFrames = () => {
    self.frames = 0;
    const original = WebGL2RenderingContext.prototype.clear;
    WebGL2RenderingContext.prototype.clear = function (...given) {
      ++self.frames;
      return original.apply(this, given);
    };
  };
  const countContexts = () => {
    globalThis.contexts = 0;
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (...given) {
      ++globalThis.contexts;
      return original.apply(this, given);
    };
  };
  const page = await session.open('tiles.html', { init: countContexts, workers: ['tile-render-worker', countFrames] });
  await mapIsDrawn(page);
  const [renderer] = await findWorkers(page, 'tessera-tile-renderer');
  const frames = () => renderer.evaluate(() => self.frames);
  // Tiles arrive until those in view and around it are there.
  for (let before = -1; before !== (await tileCount(page)); ) {
    before = await tileCount(page);
    await page.waitForTimeout(1000);
  }
  const atRest = await frames();
  const screenFrames = await page.evaluate(async () => {
    for (let i = 0; i < 20; ++i) await new Promise((resolve) => requestAnimationFrame(resolve));
    return 20;
  });
  assert.equal(await frames(), atRest, `nothing is drawn in ${screenFrames} frames of the screen`);
  await page.click('#theme');
  const framesReach = async (count) => {
    while ((await frames()) < count) await page.waitForTimeout(20);
  };
  await framesReach(atRest + 1);
  const withTheme = await frames();
  await page.setViewportSize({ width: 900, height: 700 });
  await framesReach(withTheme + 1);
  assert.equal(await page.evaluate(() => globalThis.contexts), 0, 'the page itself draws on no canvas');
  await page.close();
});

test('a tile that fails is made again; a format that fails on and on is given up until another is chosen', async () => {
  const page = await session.open('tiles.html');
  await tilesReach(page, 6);
  const [worker] = await findWorkers(page, 'tessera-tiles');
  await failCalls(worker, 'tile');
  await page.evaluate(() => document.querySelector('#tiles-view').scrollBy(0, 1200));
  assert.equal(await alertText(page), 'The test asked for a failure.');
  await scrollToNewTiles(page);
  await page.click('#alert-close');
  await failCalls(worker, 'tile', 1e9);
  await worker.evaluate(() => {
    const receive = self.onmessage;
    self.opened = 0;
    self.onmessage = (event) => {
      if (event.data.method === 'open') ++self.opened;
      receive.call(self, event);
    };
  });
  await page.evaluate(() => document.querySelector('#tiles-view').scrollBy(0, 1200));
  while ((await worker.evaluate(() => self.opened)) < 3) await page.waitForTimeout(20);
  assert.equal(await alertText(page), 'The test asked for a failure.');
  await stopFailing(worker);
  await page.selectOption('#tile-format', 'bc1 4x4');
  await panelShows(page, '13 %');
  await scrollToNewTiles(page);
  assert.equal(await page.isVisible('#alert'), false);
  await page.close();
});
