// Screenshots of both pages at three widths and in both themes, to be looked at:
//   node tests/screenshots.mjs FOLDER
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startBrowser, startServer } from './support/browser.mjs';

const folder = process.argv[2] ?? 'screenshots';
await mkdir(folder, { recursive: true });
const server = await startServer();
const browser = await startBrowser();
try {
  for (const theme of ['light', 'dark']) {
    for (const width of [360, 800, 1400]) {
      const page = await browser.context.newPage();
      page.on('console', (message) => console.log(message.type(), message.text()));
      page.on('pageerror', (error) => console.log('page error', error));
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      await page.goto(server.address);
      await page.waitForSelector('#drawing[data-how="driver"], #drawing[data-how="decoded"]', { timeout: 60_000 }).catch(() => {});
      await page.focus('#viewer');
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector('.block-body', { timeout: 20_000 }).catch(() => {});
      await page.waitForFunction(() => document.querySelector('#chart-button').textContent === 'Compute', null, { timeout: 60_000 }).catch(() => {});
      await page.screenshot({ path: join(folder, `page-${width}-${theme}.png`), fullPage: true });
      if (process.argv.includes('--tiles')) {
        await page.goto(`${server.address}tiles.html`);
        await page.waitForTimeout(4000);
        await page.screenshot({ path: join(folder, `tiles-${width}-${theme}.png`) });
      }
      await page.close();
    }
  }
} finally {
  await browser.close();
  await server.close();
}
