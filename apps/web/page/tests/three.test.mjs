// The package's examples for browsers, run and drawn; the one for Node.js is run with the packed package.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { startBrowser } from './support/browser.mjs';
import { assertNoProblems, openPage } from './support/page.mjs';

const pageFolder = fileURLToPath(new URL('..', import.meta.url));
let server;
let browser;

before(async () => {
  server = await createServer({
    root: join(pageFolder, '..'),
    configFile: false,
    logLevel: 'error',
    cacheDir: join(pageFolder, 'node_modules/.vite-three'),
    // The example is outside the folder that these packages are installed in.
    resolve: {
      alias: {
        three: join(pageFolder, 'node_modules/three/build/three.module.js'),
        'tessera-wasm': join(pageFolder, '../js/index.js'),
      },
    },
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
  });
  await server.listen();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const address = (path) => `http://127.0.0.1:${server.httpServer.address().port}${path}`;

/** Runs the example for WebGL, where `hidden` extensions are missing; the canvas, and what it says. */
async function runWebGl(hidden) {
  const init = `{
    const original = WebGL2RenderingContext.prototype.getExtension;
    WebGL2RenderingContext.prototype.getExtension = function (name) {
      return ${JSON.stringify(hidden)}.some((part) => name.endsWith(part)) ? null : original.call(this, name);
    };
  }`;
  const page = await openPage(browser, address('/js/examples/webgl.html'), {
    init,
    before: (page) => page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 })),
  });
  await page.waitForFunction(() => document.body.textContent.includes('bytes of'));
  const said = (await page.textContent('body')).trim().split('\n').at(-1).trim();
  const psnr = await page.evaluate(async () => {
    const { Tessera } = await import('/js/index.js');
    const tessera = await Tessera.create({ workers: 1 });
    const picture = await tessera.sample('interface', 512, 512);
    const canvas = new OffscreenCanvas(512, 512).getContext('2d');
    canvas.drawImage(document.querySelector('#canvas'), 0, 0);
    const { psnrRgb } = await tessera.compare(picture, canvas.getImageData(0, 0, 512, 512));
    tessera.close();
    return psnrRgb;
  });
  assertNoProblems(page);
  await page.close();
  return { said, psnr };
}

test('the example for WebGL draws its texture, whatever the driver has', async () => {
  for (const [hidden, begins] of [
    [[], 'Drawn from 262144 bytes of astc'],
    [['_astc'], 'Drawn from 131072 bytes of bc1'],
    [['_astc', '_s3tc'], 'Decoded from 131072 bytes of bc1'],
  ]) {
    const { said, psnr } = await runWebGl(hidden);
    assert.ok(said.startsWith(begins), said);
    assert.ok(psnr > 30 && psnr < 70, `${begins}: ${psnr} dB`);
  }
});

test('three.js draws the compressed texture of the example', async (t) => {
  const page = await openPage(browser, address('/page/tests/fixtures/three.html'));
  await page.waitForFunction(() => globalThis.result !== undefined);
  const result = await page.evaluate(() => globalThis.result);
  t.diagnostic(`${result.format}: ${result.psnr.toFixed(1)} dB, largest difference ${result.largest}`);
  assert.equal(result.isCompressed, true);
  assert.equal(result.format, 'astc', "Chromium's software driver has ASTC");
  assert.equal(result.levels, 7);
  assert.equal(result.error, 0);
  assert.equal(result.profile, 'srgb', 'the profile that the texture is drawn with');
  assert.ok(result.psnr > 30 && result.psnr < 60, `${result.psnr} dB: a picture that blocks cannot hold exactly`);
  assertNoProblems(page);
  await page.close();
});

test('an ImageBitmap keeps its colours under alpha, where it holds them', async () => {
  const page = await openPage(browser, address('/page/tests/fixtures/empty.html'));
  const result = await page.evaluate(async () => {
    const { Tessera } = await import('/js/index.js');
    const tessera = await Tessera.create({ workers: 1 });
    const picture = new ImageData(64, 48);
    for (let i = 0; i < picture.data.length; ++i) picture.data[i] = (i * 37 + (i >> 5) * 11) & 255;
    const options = { format: 'astc', block: '4x4', preset: 'fast', container: 'blocks' };
    const expected = await tessera.encode(picture, options);
    const psnr = {};
    const equal = {};
    for (const premultiplyAlpha of ['none', 'premultiply']) {
      const bitmap = await createImageBitmap(picture, { premultiplyAlpha });
      const { bytes } = await tessera.encode(bitmap, options);
      equal[premultiplyAlpha] = bytes.every((byte, i) => byte === expected.bytes[i]);
      psnr[premultiplyAlpha] = (await tessera.compare(picture, bitmap)).psnrAlphaWeighted;
    }
    return { equal, psnr };
  });
  assert.equal(result.equal.none, true);
  assert.equal(result.psnr.none, Infinity);
  assert.ok(result.psnr.premultiply > 35, `${result.psnr.premultiply} dB: colours that were multiplied are divided again`);
  assertNoProblems(page);
  await page.close();
});
