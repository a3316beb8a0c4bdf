// usage: node page.mjs [RUNS]
// How soon the page can be used, and its longest tasks: at the start, while a picture of 4 megapixels is
// dropped and compressed, while the chart is computed, and while tiles scroll. Needs Chromium and the built
// page (make web).
import { testPng } from '../page/tests/support/images.mjs';
import { startBrowser, startServer } from '../page/tests/support/browser.mjs';
import { choose, dropPrepared, infoHas, openPage, prepareFile, resultIsThere } from '../page/tests/support/page.mjs';

const runs = Number(process.argv[2] ?? 9);
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const watchTasks = () => {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) globalThis.longTasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
};

/** The longest task since `from`; Chromium tells those of 50 ms and more. */
const longestSince = (page, from) =>
  page.evaluate((from) => Math.max(0, ...globalThis.longTasks.filter(({ startTime }) => startTime >= from).map(({ duration }) => duration)), from);
const now = (page) => page.evaluate(() => performance.now());

async function isUsable(page) {
  await page.waitForFunction(() => performance.getEntriesByName('interactive').length > 0);
  return page.evaluate(() => performance.getEntriesByName('interactive')[0].startTime);
}

async function measurePicturePage(browser, address, large, seen) {
  const page = await openPage(browser, address, { init: watchTasks });
  seen['picture page, usable'].push(await isUsable(page));
  await resultIsThere(page);
  seen['start, longest task'].push(await longestSince(page, 0));
  let from = await now(page);
  await page.waitForFunction(() => document.querySelector('#chart-status').textContent === 'The chart is complete.');
  seen['chart, longest task'].push(await longestSince(page, from));
  await choose(page, { preset: 'fast' });
  await resultIsThere(page);
  await prepareFile(page, 'large.png', large);
  from = await now(page);
  await dropPrepared(page);
  await infoHas(page, 'large.png');
  await resultIsThere(page);
  seen['drop of 4 MP, longest task'].push(await longestSince(page, from));
  await page.close();
}

async function measureTiles(browser, address, seen) {
  const page = await openPage(browser, `${address}tiles.html`, { init: watchTasks });
  seen['tiles page, usable'].push(await isUsable(page));
  await page.click('#tile-scroll');
  await page.waitForFunction(() => Number(document.querySelector('#tile-metrics').dataset.tiles) > 200);
  seen['tiles, longest task'].push(await longestSince(page, 0));
  await page.close();
}

const names = ['picture page, usable', 'tiles page, usable', 'start, longest task', 'chart, longest task', 'drop of 4 MP, longest task', 'tiles, longest task'];
const seen = Object.fromEntries(names.map((name) => [name, []]));
const large = testPng(2048, 2048);
const server = await startServer();
const browser = await startBrowser();
for (let i = 0; i < runs; ++i) {
  await measurePicturePage(browser, server.address, large, seen);
  await measureTiles(browser, server.address, seen);
}
const text = (milliseconds) => (milliseconds === 0 ? 'less than 50 ms' : `${milliseconds.toFixed(0)} ms`);
for (const [name, values] of Object.entries(seen)) {
  console.log(`${name}: median ${text(median(values))}, best ${text(Math.min(...values))}, worst ${text(Math.max(...values))}`);
}
await browser.close();
await server.close();
