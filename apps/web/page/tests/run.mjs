// Checks the types of the page, builds it and runs its tests. Without Chromium the tests are skipped, loudly; where the
// variable TESSERA_WEB_REQUIRED is set, that is a failure.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './support/browser.mjs';

const tests = fileURLToPath(new URL('.', import.meta.url));

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: join(tests, '..'), stdio: 'inherit' });
  return status ?? 1;
}

if (!findChromium()) {
  const required = Boolean(process.env.TESSERA_WEB_REQUIRED);
  console.error('############################################################');
  console.error(`# ${required ? 'FAILED' : 'SKIPPED'}: the tests of the page need Chromium, which is not installed.`);
  console.error('# (Debian: apt-get install chromium; or name one in TESSERA_CHROMIUM)');
  console.error('############################################################');
  process.exit(required ? 1 : 0);
}

const wanted = process.argv.slice(2);
const files = readdirSync(tests)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .map((name) => join(tests, name));
const tool = (path) => join(tests, '../node_modules', path);
const steps = [
  [tool('typescript/bin/tsc'), '--noEmit'],
  [tool('vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
];
const failed = steps.map((step) => run(process.execPath, step)).find((status) => status !== 0);
process.exit(failed ?? run(process.execPath, ['--test', '--test-concurrency=1', ...files]));
