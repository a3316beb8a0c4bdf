// The package's example for three.js, run and drawn in the browser.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { startBrowser } from './support/browser.mjs';
import { openPage } from './support/page.mjs';

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

test('three.js draws the compressed texture of the example', async (t) => {
  const { port } = server.httpServer.address();
  const page = await openPage(browser, `http://127.0.0.1:${port}/page/tests/fixtures/three.html`);
  await page.waitForFunction(() => globalThis.result !== undefined);
  const result = await page.evaluate(() => globalThis.result);
  t.diagnostic(`${result.format}: ${result.psnr.toFixed(1)} dB, largest difference ${result.largest}`);
  assert.equal(result.isCompressed, true);
  assert.equal(result.format, 'astc', "Chromium's software driver has ASTC");
  assert.equal(result.levels, 7);
  assert.equal(result.error, 0);
  assert.ok(result.psnr > 30 && result.psnr < 60, `${result.psnr} dB: a picture that blocks cannot hold exactly`);
  await page.close();
});
