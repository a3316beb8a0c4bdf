// How soon the page answers, and that it always does. Machines that run tests may be busy: bars are
// reported, and only what is far beyond them is a failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPng } from './support/images.mjs';
import { assertNoProblems, chartIsComplete, choose, crash, dropPrepared, findWorkers, infoHas, prepareFile, resultIsThere, statusIs } from './support/page.mjs';
import { useBrowser } from './support/session.mjs';

const session = useBrowser();
const interactiveBar = 1000;
const blockedBar = 50;
const generous = 12;

const watchLongTasks = () => {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.longTasks.push({ start: entry.startTime, length: entry.duration });
  }).observe({ type: 'longtask', buffered: true });
};

test('the page is interactive soon', async (t) => {
  for (const path of ['', 'tiles.html']) {
    const page = await session.open(path);
    await page.waitForFunction(() => performance.getEntriesByName('interactive').length > 0);
    const milliseconds = await page.evaluate(() => performance.getEntriesByName('interactive')[0].startTime);
    t.diagnostic(`${path || 'index.html'}: interactive after ${milliseconds.toFixed(0)} ms (bar ${interactiveBar})`);
    assert.ok(milliseconds <= interactiveBar * generous);
    await page.close();
  }
});

async function assertAnswers(t, page, from, what) {
  const tasks = await page.evaluate((from) => globalThis.longTasks.filter(({ start }) => start >= from).map(({ length }) => length), from);
  const longest = Math.max(0, ...tasks);
  t.diagnostic(`longest task ${what}: ${longest === 0 ? 'less than 50' : longest.toFixed(0)} ms (bar ${blockedBar}), ${tasks.length} over the bar`);
  assert.ok(longest <= blockedBar * generous, what);
}

const now = (page) => page.evaluate(() => performance.now());

test('the page is not held up by its start, the chart, a drop, or an encode', async (t) => {
  const page = await session.open('', { init: watchLongTasks });
  await resultIsThere(page);
  await assertAnswers(t, page, 0, 'at the start');
  await choose(page, { preset: 'fast' });
  let from = await now(page);
  await resultIsThere(page);
  await chartIsComplete(page);
  await assertAnswers(t, page, from, 'while the chart was computed');
  await prepareFile(page, 'large.png', testPng(2048, 2048, { alpha: true }));
  from = await now(page);
  await dropPrepared(page);
  await infoHas(page, 'large.png');
  await resultIsThere(page);
  await assertAnswers(t, page, from, 'while 4 MP were dropped');
  from = await now(page);
  await choose(page, { block: '5x5', preset: 'medium' });
  await page.selectOption('#map', 'error');
  await page.focus('#viewer');
  for (let i = 0; i < 20; ++i) await page.keyboard.press(i % 2 ? '+' : 'ArrowRight');
  await resultIsThere(page);
  await assertAnswers(t, page, from, 'while 4 MP were compressed');
  assertNoProblems(page);
  await page.close();
});

test('the page of tiles is not held up by its tiles', async (t) => {
  const page = await session.open('tiles.html', { init: watchLongTasks });
  await page.click('#tile-scroll');
  await page.waitForFunction(() => Number(document.querySelector('#tile-metrics').dataset.tiles) > 100);
  await assertAnswers(t, page, 0, 'while tiles scrolled');
  await page.close();
});

/** All that starts workers: other formats, the chart, a call that is given up, crashes. */
async function useAllOffline(page) {
  for (const format of ['bc1', 'fractal', 'astc']) {
    await choose(page, { format });
    await resultIsThere(page);
  }
  await choose(page, { preset: 'fast' });
  await page.waitForFunction(() => document.querySelectorAll('#chart .point').length === 14);
  await choose(page, { preset: 'exhaustive' });
  await page.click('#cancel');
  await statusIs(page, /^Compression was cancelled\.$/);
  await choose(page, { preset: 'fast' });
  await resultIsThere(page);
  for (const worker of await findWorkers(page, '')) await crash(worker).catch(() => {});
  await page.click('#encode');
  await statusIs(page, /^Compress(ed in|ion has failed)/);
  await choose(page, { block: '5x5' });
  await resultIsThere(page);
  const [engine] = await findWorkers(page, 'tessera-engine');
  await crash(engine);
  await statusIs(page, /^The picture is still here and can be compressed again\.$/);
  await page.click('#encode');
  await resultIsThere(page);
}

test('nothing is fetched after the page has loaded, and nothing from elsewhere', async () => {
  const requests = [];
  const page = await session.open('');
  await resultIsThere(page);
  const own = session.server.address;
  const fetched = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  for (const name of fetched) assert.ok(name.startsWith(own) || name.startsWith('data:'), name);
  page.on('request', (request) => requests.push(request.url()));
  await session.browser.context.setOffline(true);
  try {
    await useAllOffline(page);
  } finally {
    await session.browser.context.setOffline(false);
  }
  assert.deepEqual(requests.filter((url) => !url.startsWith('blob:') && !url.startsWith('data:')), []);
  page.expects.push(/a crash that the test asked for/);
  await page.close();
});
