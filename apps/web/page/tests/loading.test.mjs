// Pictures that come while others are still read, or before the library is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPicture, testPng } from './support/images.mjs';
import {
  alertText, assertNoProblems, assertSentence, choose, decodedPixels, drawnPixels, dropFile, findWorkers, infoHas, largestDifference, resultIsThere,
  sourcePixels, statusIs,
} from './support/page.mjs';
import { useBrowser } from './support/session.mjs';

const session = useBrowser();

/** The picture is shown, compressed and drawn, and is what the engine has. */
async function assertShows(page, name, width, height) {
  await infoHas(page, `${name}: ${width} × ${height}`);
  await resultIsThere(page);
  assert.equal(largestDifference(await sourcePixels(page), testPicture(width, height)), 0);
  assert.equal(largestDifference(await drawnPixels(page), await decodedPixels(page)), 0);
}

/** The browser's decoder keeps files of this size until `release(engine)`, which waits until one was read. */
async function holdBitmaps(engine, size) {
  await engine.evaluate((size) => {
    const decode = self.createImageBitmap;
    const gate = new Promise((resolve) => (self.openGate = resolve));
    self.wasRead = new Promise((resolve) => (self.tellRead = resolve));
    self.createImageBitmap = async (blob, ...options) => {
      if (blob.size !== size) return decode.call(self, blob, ...options);
      self.isHeld = true;
      await gate;
      const bitmap = await decode.call(self, blob, ...options);
      const close = bitmap.close.bind(bitmap);
      bitmap.close = () => (close(), self.tellRead());
      return bitmap;
    };
  }, size);
}

async function isHeld(engine) {
  while (!(await engine.evaluate(() => self.isHeld === true))) await new Promise((resolve) => setTimeout(resolve, 20));
}

const release = (engine) => engine.evaluate(() => (self.openGate(), self.wasRead));

async function openedWithFast() {
  const page = await session.open();
  await resultIsThere(page);
  await choose(page, { preset: 'fast' });
  await resultIsThere(page);
  const [engine] = await findWorkers(page, 'tessera-engine');
  return { page, engine };
}

test('a picture that is dropped while the library loads waits for it', async () => {
  let letGo;
  const gate = new Promise((resolve) => (letGo = resolve));
  const hold = (page) => page.route('**/*.wasm', async (route) => (await gate, route.continue()));
  const page = await session.open('', { before: hold });
  await statusIs(page, /^The library is being loaded…$/);
  await dropFile(page, 'early.png', testPng(64, 48));
  letGo();
  await assertShows(page, 'early.png', 64, 48);
  assert.equal(await page.isVisible('#alert'), false);
  assertNoProblems(page);
  await page.close();
});

test('of pictures that are read at the same time the last one stays', async () => {
  const { page, engine } = await openedWithFast();
  const slow = testPng(300, 200);
  await holdBitmaps(engine, slow.length);
  await dropFile(page, 'slow.png', slow);
  await isHeld(engine);
  await dropFile(page, 'quick.png', testPng(40, 30));
  await assertShows(page, 'quick.png', 40, 30);
  await release(engine);
  await assertShows(page, 'quick.png', 40, 30);
  await choose(page, { block: '8x8' });
  await assertShows(page, 'quick.png', 40, 30);
  assertNoProblems(page);
  await page.close();
});

test('settings that change while a picture is read are those that it is compressed with', async () => {
  const { page, engine } = await openedWithFast();
  const slow = testPng(300, 200);
  await holdBitmaps(engine, slow.length);
  await dropFile(page, 'slow.png', slow);
  await isHeld(engine);
  await choose(page, { block: '8x8' });
  await release(engine);
  await assertShows(page, 'slow.png', 300, 200);
  assert.match(await page.textContent('#metrics'), /2\.03 bits\/pixel/);
  assertNoProblems(page);
  await page.close();
});

/** Dispatches what a browser does when something is dragged onto the page. Returns whether the page has kept it. */
async function drop(page, contents) {
  return page.evaluate((contents) => {
    const dataTransfer = new DataTransfer();
    for (const { type, text, file } of contents) {
      if (file) dataTransfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], file, { type }));
      else dataTransfer.setData(type, text);
    }
    return ['dragover', 'drop'].map((name) => {
      const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      return event.defaultPrevented;
    });
  }, contents);
}

test('a link or an image that is dragged onto the page is kept from the browser, and a sentence says why', async () => {
  const page = await session.open();
  await resultIsThere(page);
  const address = 'https://example.org/photo.png';
  for (const contents of [
    [{ type: 'text/uri-list', text: address }],
    [{ type: 'text/html', text: `<img src="${address}">` }, { type: 'text/uri-list', text: address }],
  ]) {
    assert.deepEqual(await drop(page, contents), [true, true]);
    assertSentence(await alertText(page), /^What was dropped is no file, and this page fetches nothing\./);
    await page.click('#alert-close');
  }
  assert.match(await page.textContent('#picture-info'), /^Sample: /);
  await page.close();
});

test('of several files the first one is taken, and a sentence says so', async () => {
  const page = await session.open();
  await resultIsThere(page);
  const files = ['first.png', 'second.png', 'third.png'].map((file, i) => ({ type: 'image/png', text: testPng(20 + i, 20).toString('base64'), file }));
  assert.deepEqual(await drop(page, files), [true, true]);
  await infoHas(page, 'first.png');
  await resultIsThere(page);
  const note = page.locator('#picture-note');
  assert.equal(await note.textContent(), 'Of 3 files the first one was taken, first.png: this page shows one picture at a time.');
  assert.ok(await note.isVisible());
  await drop(page, files.slice(1, 2));
  await infoHas(page, 'second.png');
  assert.equal(await note.textContent(), '');
  await page.close();
});
