// A server for the built page and a browser to open it with.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const pageFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Debian's and other usual places, or the one that TESSERA_CHROMIUM names. */
export function findChromium() {
  const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const places = process.env.TESSERA_CHROMIUM ? [process.env.TESSERA_CHROMIUM] : usual;
  return places.find((place) => existsSync(place)) ?? null;
}

export async function startServer() {
  const server = await preview({
    root: pageFolder,
    configFile: join(pageFolder, 'vite.config.ts'),
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: 0, strictPort: false },
  });
  const { port } = server.httpServer.address();
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Software drawing, which has both ASTC and BC1, and nothing that asks the network. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-swiftshader',
  '--enable-precise-memory-info',
  '--js-flags=--expose-gc',
];

export async function startBrowser(options = {}) {
  const profile = await mkdtemp(join(tmpdir(), 'tessera-page-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    headless: true,
    args: [...switches, ...(options.args ?? [])],
    viewport: { width: 1400, height: 900 },
    ...(options.context ?? {}),
  });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
