// What browsers have to load stays small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import zlib from 'node:zlib';

/** Bytes that the main module may have with brotli. */
const most = 200_000;

test('the main module has at most 200,000 bytes with brotli', (t) => {
  const bytes = readFileSync(new URL('../wasm/tessera.wasm', import.meta.url));
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 };
  const { length } = zlib.brotliCompressSync(bytes, { params });
  t.diagnostic(`${bytes.length} bytes, ${length} with brotli`);
  assert.ok(length <= most, `${length} bytes`);
});
