// What goes wrong ends in a sentence and a page that still works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pngOfSize, testPng } from './support/images.mjs';
import {
  alertText, assertNoProblems, assertSentence, choose, crash, decodedPixels, drawnPixels, dropFile, findWorkers,
  infoHas, keepLoseContext, largestDifference, pick, resultIsThere, statusIs, withoutScript,
} from './support/page.mjs';
import { useBrowser } from './support/session.mjs';

const session = useBrowser();

/** The page compresses a dropped picture and shows it. */
async function assertStillWorks(page) {
  await dropFile(page, 'after.png', testPng(40, 30));
  await page.waitForFunction(() => document.querySelector('#picture-info').textContent.includes('after.png'));
  await resultIsThere(page);
  assert.equal(largestDifference(await drawnPixels(page), await decodedPixels(page)), 0);
  assert.equal(await page.isVisible('#alert'), false);
}

async function opened() {
  const page = await session.open();
  await resultIsThere(page);
  await choose(page, { preset: 'fast' });
  await resultIsThere(page);
  return page;
}

test('files that are no pictures', async () => {
  const page = await opened();
  const cases = [
    ['empty.png', Buffer.alloc(0), /^empty\.png is empty\.$/],
    ['text.png', Buffer.from('This is no picture.'), /^text\.png is not a picture that this browser can read\.$/],
    ['cut.png', testPng(64, 64).subarray(0, 300), /./],
    ['cut.ktx2', Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 1, 2, 3]), /ktx2|KTX|data/i],
  ];
  for (const [name, bytes, pattern] of cases) {
    await dropFile(page, name, bytes);
    // Browsers show the part of a cut PNG that is there; that is a picture, too.
    if (name === 'cut.png') await statusIs(page, /still here|^Compressed/);
    else {
      assertSentence(await alertText(page), pattern);
      assert.equal(await page.textContent('#status'), 'The picture before is still here.');
    }
    await assertStillWorks(page);
  }
  assertNoProblems(page);
  await page.close();
});

function bytesWith(length, ...parts) {
  const bytes = Buffer.alloc(length);
  for (const [at, ...values] of parts) bytes.set(Buffer.from(values.flatMap((v) => (typeof v === 'string' ? [...Buffer.from(v, 'latin1')] : [v]))), at);
  return bytes;
}

/** A texture of 20,000 x 20,000 pixels that the command would decode: an .astc file of 12x12 blocks of one colour. */
function hugeTexture(side) {
  const across = Math.ceil(side / 12);
  const blocks = Buffer.alloc(across * across * 16);
  blocks.fill(Buffer.from('fcfdffffffffffff0000ffff8080ffff', 'hex'));
  return Buffer.concat([bytesWith(16, [0, 0x13, 0xab, 0xa1, 0x5c, 12, 12, 1, side & 255, side >> 8, 0, side & 255, side >> 8, 0, 1]), blocks]);
}

test('pictures and textures of 20,000 x 20,000 pixels are refused by their headers', async () => {
  const side = 20_000;
  const [low, high] = [side & 255, side >> 8];
  const headers = {
    'huge.png': pngOfSize(side, side),
    'huge.gif': bytesWith(64, [0, 'GIF89a', low, high, low, high]),
    'huge.bmp': bytesWith(64, [0, 'BM'], [18, low, high], [22, low, high]),
    'huge.jpg': bytesWith(64, [0, 0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, high, low, high, low]),
    'huge.webp': bytesWith(64, [0, 'RIFF'], [8, 'WEBPVP8X'], [24, (side - 1) & 255, (side - 1) >> 8, 0, (side - 1) & 255, (side - 1) >> 8, 0]),
    'huge.astc': hugeTexture(side),
    'huge.ktx2': bytesWith(80, [0, 0xab, 'KTX 20', 0xbb, 13, 10, 26, 10], [12, 166], [16, 1], [20, low, high], [24, low, high]),
    'huge.dds': bytesWith(128, [0, 'DDS ', 124], [12, low, high], [16, low, high]),
    'huge.tsf': bytesWith(64, [0, 'TSF1', 1, 1, 3, 4, low, high, 0, 0, low, high]),
    'huge.avif': bytesWith(64, [4, 'ftypavif'], [32, 'ispe'], [42, high, low], [46, high, low]),
  };
  const page = await opened();
  for (const [name, bytes] of Object.entries(headers)) {
    await dropFile(page, name, bytes);
    await page.waitForFunction((name) => document.querySelector('#alert-text').textContent.startsWith(name), name);
    assertSentence(await alertText(page), /has 20,000 × 20,000 pixels; this page takes up to 8,192 on a side/);
  }
  await assertStillWorks(page);
  assertNoProblems(page);
  await page.close();
});

test('an encode that is cancelled', async () => {
  const page = await opened();
  await dropFile(page, 'large.png', testPng(1024, 1024, { alpha: true }));
  await resultIsThere(page);
  const before = await page.textContent('#metrics');
  await choose(page, { preset: 'exhaustive' });
  await page.click('#cancel');
  await statusIs(page, /^Compression was cancelled\.$/);
  assert.equal(await page.textContent('#metrics'), before, 'the result before stays');
  assert.equal(await page.isVisible('#cancel'), false);
  await choose(page, { preset: 'fast' });
  await assertStillWorks(page);
  assertNoProblems(page);
  await page.close();
});

async function openedToLose() {
  const page = await session.open('', { workers: ['render-worker', keepLoseContext] });
  await resultIsThere(page);
  const [renderer] = await findWorkers(page, 'tessera-renderer');
  await renderer.evaluate(() => self.loseContext.loseContext());
  assertSentence(await alertText(page), /^The graphics driver has dropped the picture/);
  return { page, renderer };
}

test('a lost WebGL context that comes back', async () => {
  const { page, renderer } = await openedToLose();
  await renderer.evaluate(() => self.loseContext.restoreContext());
  await statusIs(page, /^The picture is drawn again\.$/);
  assert.equal(await page.getAttribute('#drawing', 'data-how'), 'driver');
  assert.equal(largestDifference(await drawnPixels(page), await decodedPixels(page)), 0);
  await assertStillWorks(page);
  await page.close();
});

test('a lost WebGL context that stays lost', async () => {
  const { page } = await openedToLose();
  await statusIs(page, /^The picture is drawn again\.$/);
  assert.match(await page.textContent('#drawing'), /decoded in WebAssembly/);
  await assertStillWorks(page);
  await page.close();
});

test('a WebGL context that is lost before anybody watches it', async () => {
  const loseAtOnce = () => {
    const original = OffscreenCanvas.prototype.getContext;
    OffscreenCanvas.prototype.getContext = function (...given) {
      const context = original.apply(this, given);
      context?.getExtension?.('WEBGL_lose_context').loseContext();
      return context;
    };
  };
  const page = await session.open('', { workers: ['render-worker', loseAtOnce] });
  await statusIs(page, /^The picture is drawn again\.$/);
  await assertStillWorks(page);
  await page.close();
});

test('a worker that draws and crashes', async () => {
  const page = await opened();
  const [renderer] = await findWorkers(page, 'tessera-renderer');
  await crash(renderer);
  await statusIs(page, /^The picture is drawn again\.$/);
  assert.match(await page.textContent('#drawing'), /decoded in WebAssembly/);
  await assertStillWorks(page);
  await page.close();
});

test('a worker of the library that crashes', async () => {
  const page = await opened();
  const pool = await findWorkers(page, '');
  assert.ok(pool.length > 0, 'the library works in workers');
  const fail = () => {
    self.onmessage = () => {
      throw new Error('a crash that the test asked for');
    };
  };
  for (const worker of pool) await worker.evaluate(fail).catch(() => {});
  await choose(page, { block: '8x8' });
  await statusIs(page, /^Compression has failed\.$/);
  assertSentence(await alertText(page), /worker/i);
  // Each of them crashes at its next task, and is replaced.
  for (let i = 0; i < pool.length; ++i) {
    await page.click('#encode');
    await statusIs(page, /^Compression has failed\.$|^Compressed in/);
  }
  await page.click('#encode');
  await resultIsThere(page);
  await assertStillWorks(page);
  await page.close();
});

test('an engine that crashes', async () => {
  const page = await opened();
  const [engine] = await findWorkers(page, 'tessera-engine');
  await crash(engine);
  assertSentence(await alertText(page), /^The worker that compresses pictures has crashed/);
  await statusIs(page, /^The picture is still here and can be compressed again\.$/);
  await page.click('#encode');
  await resultIsThere(page);
  assert.match(await page.textContent('#picture-info'), /768 × 512/);
  await assertStillWorks(page);
  await page.close();
});

test('a driver without compressed textures', async () => {
  const hideTextures = () => {
    const original = WebGL2RenderingContext.prototype.getExtension;
    WebGL2RenderingContext.prototype.getExtension = function (name) {
      return name.includes('compressed_texture') ? null : original.call(this, name);
    };
  };
  const page = await session.open('', { workers: ['render-worker', hideTextures] });
  await resultIsThere(page);
  assert.match(await page.textContent('#drawing'), /^The graphics driver here cannot draw ASTC: .* decoded in WebAssembly\.$/);
  await assertStillWorks(page);
  assertNoProblems(page);
  await page.close();
});

/** As a driver whose compressed textures have 98 texels on a side at most, or none at all that it says it has. */
const limitTextures = () => {
  const original = WebGL2RenderingContext.prototype.texStorage2D;
  const huge = 1 << 30;
  WebGL2RenderingContext.prototype.texStorage2D = function (target, levels, format, width, height) {
    const isCompressed = format === 0x83f1 || format >= 0x93b0;
    const isRefused = isCompressed && Math.max(width, height) > 98;
    return original.call(this, target, levels, format, isRefused ? huge : width, isRefused ? huge : height);
  };
};

test('a driver that refuses textures that are too large', async () => {
  const page = await session.open('', { workers: ['render-worker', limitTextures] });
  await resultIsThere(page);
  assert.match(await page.textContent('#drawing'), /^The graphics driver here has refused this ASTC texture: .* decoded in WebAssembly\.$/);
  assert.equal(largestDifference(await drawnPixels(page), await decodedPixels(page)), 0);
  // Blocks of 6x6 texels would take 102 of them.
  await dropFile(page, 'narrow.png', testPng(97, 61));
  await infoHas(page, 'narrow.png');
  await resultIsThere(page);
  assert.equal(await page.getAttribute('#drawing', 'data-how'), 'driver');
  await assertStillWorks(page);
  await page.close();
});

test('a driver that draws no picture of this size', async () => {
  const limitSize = () => {
    const original = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function (name) {
      return name === this.MAX_TEXTURE_SIZE ? 800 : original.call(this, name);
    };
  };
  const page = await session.open('', { workers: ['render-worker', limitSize] });
  await resultIsThere(page);
  await dropFile(page, 'wide.png', testPng(801, 20));
  assertSentence(await alertText(page), /^The graphics driver here cannot draw a picture of 801 × 20 pixels\.$/);
  await assertStillWorks(page);
  await page.close();
});

test('a browser without WebGL', async () => {
  const hideWebGl = () => {
    OffscreenCanvas.prototype.getContext = () => null;
  };
  const page = await session.open('', { workers: ['render-worker', hideWebGl] });
  await resultIsThere(page);
  assert.match(await page.textContent('#drawing'), /decoded in WebAssembly/);
  for (const view of ['panes', 'error', 'split']) await pick(page, 'view', view);
  await page.selectOption('#map', 'error');
  await assertStillWorks(page);
  assertNoProblems(page);
  await page.close();
});

const notLoaded = /^Failed to load resource: net::ERR_FAILED$/;

test('a library that cannot be loaded, and then can', async () => {
  const page = await session.open('', {
    before: (page) => page.route('**/*.wasm', (route) => route.abort()),
    expects: [notLoaded],
  });
  await statusIs(page, /^The library could not be loaded\.$/);
  assertSentence(await alertText(page), /^The library could not be loaded: the server did not answer\.$/);
  await page.unroute('**/*.wasm');
  await assertStillWorks(page);
  await page.close();
});

const engineScript = /\/engine-worker-[^/]*\.js$/;

test('an engine that cannot be started, and then can', async () => {
  let asked = 0;
  const page = await session.open('', {
    before: (page) => page.route(engineScript, (route) => (++asked, route.abort())),
    expects: [notLoaded],
  });
  const start = 'The worker that compresses pictures cannot be started; the next picture tries again.';
  await page.waitForFunction((text) => document.querySelector('#alert-text').textContent === text, start);
  const before = asked;
  assert.ok(before <= 10, `the script was asked for ${before} times`);
  await page.waitForTimeout(1000);
  assert.equal(asked, before, 'no more workers are started');
  await page.unroute(engineScript);
  await assertStillWorks(page);
  await page.close();
});

test('workers that cannot draw as their script is missing', async () => {
  const page = await session.open('', withoutScript('/render-worker'));
  await resultIsThere(page);
  assert.match(await page.textContent('#drawing'), /decoded in WebAssembly/);
  await assertStillWorks(page);
  await page.close();
});

test('a browser whose WebAssembly has no vectors', async () => {
  const page = await session.open('', {
    init: () => {
      WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('Wasm SIMD unsupported @+42'));
    },
  });
  await statusIs(page, /^The library could not be loaded\.$/);
  assertSentence(await alertText(page), /^This browser cannot run the library, which needs WebAssembly with vectors of 128 bits\.$/);
  await page.close();
});
