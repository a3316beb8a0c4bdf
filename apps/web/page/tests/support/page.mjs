// What the tests do with the page: drop files, choose settings, wait, read pixels.
import assert from 'node:assert/strict';

/** How long anything may take on a slow machine. */
export const patience = 120_000;

/** Messages of the software driver about its own speed are none of the page's. */
const isNoise = (text) => text.includes('GPU stall due to ReadPixels');

/** Puts code in front of the script of workers whose address has `part`. */
async function patchWorkers(page, part, code) {
  await page.route((url) => url.pathname.includes(part), async (route) => {
    const answer = await route.fetch();
    const body = `(${code})();\n${await answer.text()}`;
    await route.fulfill({ response: answer, body });
  });
}

/** Options of `openPage`: the script of a worker whose address has `part` cannot be loaded. */
export const withoutScript = (part) => ({
  before: (page) => page.route((url) => url.pathname.includes(part), (route) => route.abort()),
});

/** `init`: code that runs in the page before its own. `workers`: [part of the address, code].
 *  `before`: called with the page before it opens. `expects`: patterns of what its console may say. */
export async function openPage(browser, address, { init, workers, before, expects = [] } = {}) {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(patience);
  page.problems = [];
  page.expects = expects;
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isNoise(message.text())) {
      page.problems.push(message.text());
    }
  });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  if (init) await page.addInitScript(init);
  if (workers) await patchWorkers(page, ...workers);
  await before?.(page);
  await page.goto(address);
  return page;
}

export function assertNoProblems(page) {
  const isExpected = (text) => page.expects.some((pattern) => pattern.test(text));
  assert.deepEqual(page.problems.filter((text) => !isExpected(text)), [], 'the console stays silent');
}

export async function statusIs(page, pattern) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector('#status').textContent),
    pattern.source,
    { polling: 50 },
  );
}

export const resultIsThere = (page) => statusIs(page, /^Compressed in/);

/** Where a chart would take long, it waits for its button. */
export async function chartIsComplete(page) {
  const says = (pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector('#chart-status').textContent), pattern.source);
  await says(/^The chart is complete\.$|^All \d+ points would take about/);
  if ((await page.textContent('#chart-status')).startsWith('All')) await page.click('#chart-button');
  await says(/^The chart is complete\.$/);
}

/** The picture that the page shows says this of itself. */
export const infoHas = (page, text) =>
  page.waitForFunction((part) => document.querySelector('#picture-info').textContent.includes(part), text);

export async function alertText(page) {
  await page.waitForSelector('#alert:not([hidden])');
  return page.textContent('#alert-text');
}

/** One sentence: it begins like one and ends like one. */
export function assertSentence(text, pattern) {
  assert.match(text, pattern);
  assert.match(text, /^\S.*[.!?]$/s);
}

/** Makes a file in the page, which takes a while for large ones and is no work of the page's own. */
export async function prepareFile(page, name, bytes, type = 'image/png') {
  await page.evaluate(
    ({ name, text, type }) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      globalThis.prepared = new File([bytes], name, { type });
    },
    { name, text: Buffer.from(bytes).toString('base64'), type },
  );
}

export async function dropPrepared(page) {
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(globalThis.prepared);
    const options = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('dragover', options));
    document.body.dispatchEvent(new DragEvent('drop', options));
  });
}

export async function dropFile(page, name, bytes, type) {
  await prepareFile(page, name, bytes, type);
  await dropPrepared(page);
}

/**
 * Clicks one of a group of buttons. Their inputs are not drawn, but their labels are: Playwright waits until a label
 * stands still and tries again when a click met something else, since the page may move what is below a result.
 */
export async function pick(page, name, value) {
  await page.locator('label', { has: page.locator(`input[name="${name}"][value="${value}"]`) }).check();
}

/** Chooses as a person would; the page begins at once with each change. */
export async function choose(page, { format, block, preset, profile }) {
  if (format) await pick(page, 'format', format);
  if (preset) await page.selectOption('#preset', preset);
  if (block) await page.selectOption('#block-size', block);
  if (profile) await pick(page, 'profile', profile);
}

async function pixels(page, which) {
  const { text, width, height } = await page.evaluate(async (name) => {
    const { data, width, height } = await globalThis.tessera[name]();
    let letters = '';
    for (let i = 0; i < data.length; i += 8192) letters += String.fromCharCode(...data.subarray(i, i + 8192));
    return { text: btoa(letters), width, height };
  }, which);
  return { data: Buffer.from(text, 'base64'), width, height };
}

export const drawnPixels = (page) => pixels(page, 'drawnPixels');
export const sourcePixels = (page) => pixels(page, 'sourcePixels');
export const decodedPixels = (page) => pixels(page, 'decodedPixels');

export function largestDifference(a, b) {
  assert.equal(a.width, b.width);
  assert.equal(a.height, b.height);
  assert.equal(a.data.length, b.data.length);
  let largest = 0;
  for (let i = 0; i < a.data.length; ++i) largest = Math.max(largest, Math.abs(a.data[i] - b.data[i]));
  return largest;
}

/** Downloads and waits until the page is done with it. */
export async function download(page, container) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`#downloads button[data-container="${container}"]`),
  ]);
  await statusIs(page, new RegExp(`^The \\.${container} file is ready\\.$`));
  return file.path();
}

/** The workers of the page by their names; those of the library's pool have none. */
export async function findWorkers(page, name) {
  const found = [];
  for (const worker of page.workers()) {
    // A worker may end before it answers: the library stops those whose work was given up.
    const itsName = await worker.evaluate(() => self.name).catch(() => null);
    if (itsName === name) found.push(worker);
  }
  return found;
}

/** An error that nobody catches, in a worker. */
export async function crash(worker) {
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('a crash that the test asked for');
    });
  });
}

/** A worker keeps calls of a method until `letGo`, which comes back when they have been answered. */
export async function holdCalls(worker, method) {
  await worker.evaluate((method) => {
    const receive = self.onmessage;
    const send = self.postMessage;
    const waiting = new Map();
    let held = [];
    self.onmessage = (event) => (held && event.data.method === method ? held.push(event) : receive.call(self, event));
    self.postMessage = (message, transfer) => {
      send.call(self, message, transfer);
      if (!('progress' in message)) waiting.get(message.id)?.();
    };
    self.heldCalls = () => held.length;
    self.letGo = async () => {
      const events = held;
      held = null;
      await Promise.all(events.map((event) => new Promise((resolve) => {
        waiting.set(event.data.id, resolve);
        receive.call(self, event);
      })));
    };
  }, method);
}

export const letGo = (worker) => worker.evaluate(() => self.letGo());

export async function callIsHeld(worker) {
  while (!(await worker.evaluate(() => self.heldCalls() > 0))) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A worker answers calls of a method with an error, `times` times or until `stopFailing`. */
export async function failCalls(worker, method, times = 1) {
  await worker.evaluate(({ method, times }) => {
    const receive = self.onmessage;
    let left = times;
    self.stopFailing = () => (left = 0);
    self.onmessage = (event) => {
      if (event.data.method !== method || left <= 0) return receive.call(self, event);
      --left;
      self.postMessage({ id: event.data.id, failure: { name: 'Error', message: 'The test asked for a failure.' } });
    };
  }, { method, times });
}

export const stopFailing = (worker) => worker.evaluate(() => self.stopFailing());

/** Keeps the extension that loses contexts, where a worker that draws can be told to use it. */
export const keepLoseContext = () => {
  const original = OffscreenCanvas.prototype.getContext;
  OffscreenCanvas.prototype.getContext = function (...given) {
    const context = original.apply(this, given);
    self.loseContext = context?.getExtension?.('WEBGL_lose_context');
    return context;
  };
};
