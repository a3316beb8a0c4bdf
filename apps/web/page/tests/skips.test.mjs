// Where the tests are required, nothing of them is skipped.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('run.mjs', import.meta.url));

function runWithout(variables) {
  const { status, stderr } = spawnSync(process.execPath, [runner], {
    encoding: 'utf8',
    env: { ...process.env, TESSERA_CHROMIUM: '/no/browser', TESSERA_WEB_REQUIRED: '', ...variables },
  });
  return { status, stderr };
}

test('without Chromium the tests are skipped, or fail where they are required', () => {
  const skipped = runWithout({});
  assert.equal(skipped.status, 0);
  assert.match(skipped.stderr, /# SKIPPED: the tests of the page need Chromium/);
  const failed = runWithout({ TESSERA_WEB_REQUIRED: '1' });
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /# FAILED: the tests of the page need Chromium/);
});
