// usage: node chromium.mjs COMMAND|none [RUNS]
// The package in Chromium against the native command with SSE4, whose vectors have the same width. What
// counts in Chromium is the processor's time of the one worker's thread, as Linux tells it; the command
// tells the time of its encoder or decoder. Both take turns, and the best and the median of all runs are
// shown. Then tiles, and two workers against one, by the clock: that needs two processors with nothing else to do.
// Needs Linux, Chromium, and `npm ci` in apps/web/page.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBrowser } from '../page/tests/support/browser.mjs';

const [command, runText = '9'] = process.argv.slice(2);
if (!command) {
  console.error('usage: node chromium.mjs COMMAND|none [RUNS]');
  process.exit(1);
}
const runs = Number(runText);
const folder = mkdtempSync(join(tmpdir(), 'tessera-chromium-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const packageFolder = fileURLToPath(new URL('../js/', import.meta.url));

/** The package's files, and an empty page. */
function serve() {
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    const file = join(packageFolder, path);
    const isThere = path !== '/' && existsSync(file);
    response.writeHead(isThere || path === '/' ? 200 : 404, { 'content-type': types[extname(path)] ?? 'text/html' });
    if (isThere) createReadStream(file).pipe(response);
    else response.end('<!doctype html>');
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function threadsOf(process) {
  try {
    return readdirSync(`/proc/${process}/task`);
  } catch {
    return []; // it has ended meanwhile
  }
}

/** Nanoseconds that the threads of workers have run, in all processes that this one has started. */
function workerTimes() {
  const parents = new Map();
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
      parents.set(id, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (id) => id === String(process.pid) || (parents.has(id) && isOurs(parents.get(id)));
  let total = 0;
  for (const id of processes.filter((name) => parents.has(name) && isOurs(name))) {
    for (const thread of threadsOf(id)) {
      try {
        const place = `/proc/${id}/task/${thread}`;
        if (!readFileSync(`${place}/comm`, 'latin1').startsWith('DedicatedWorker')) continue;
        total += Number(readFileSync(`${place}/schedstat`, 'latin1').split(' ')[0]);
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  return total;
}

/** What the command says of the one file. */
const native = (...args) =>
  [JSON.parse(execFileSync(command, args, { env: { ...process.env, TESSERA_ISA: 'SSE4' }, encoding: 'utf8' }))].flat()[0];
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

function report(name, pixels, nativeSeconds, workerSeconds) {
  const rate = (seconds) => pixels / 1e6 / seconds;
  const side = (of) => {
    const [n, w] = [rate(of(nativeSeconds)), rate(of(workerSeconds))];
    return `native ${n.toFixed(1).padStart(6)}  Chromium ${w.toFixed(1).padStart(6)} MP/s  ${((100 * w) / n).toFixed(0)} %`;
  };
  console.log(`${name.padEnd(18)} median: ${side(median)}   best: ${side((values) => Math.min(...values))}`);
}

async function race(name, pixels, runNative, runInPage) {
  for (let i = 0; i < 4; ++i) await runInPage(); // until the optimised code runs
  const times = { native: [], worker: [] };
  for (let i = 0; i < runs; ++i) {
    times.native.push(runNative());
    const before = workerTimes();
    await runInPage();
    times.worker.push((workerTimes() - before) / 1e9);
  }
  report(name, pixels, times.native, times.worker);
}

const server = await serve();
const browser = await startBrowser();
const page = await browser.context.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.evaluate(async () => {
  const { Tessera } = await import('/index.js');
  globalThis.tessera = await Tessera.create({ workers: 1 });
});

async function encodeRace(name, options, side) {
  const picture = join(folder, `photo-${side}.png`);
  execFileSync(command, ['sample', '-o', picture, '--size', `${side}x${side}`, '--quiet']);
  const { format, block, preset } = options;
  const out = join(folder, format === 'astc' ? 'x.astc' : 'x.dds');
  const args = ['encode', picture, '-o', out, '--format', format, '--block', block, '--preset', preset, '--threads', '1', '--json'];
  await page.evaluate(async (side) => (globalThis.picture = await globalThis.tessera.sample('photo', side, side)), side);
  await race(
    name,
    side * side,
    () => native(...args).encode_seconds,
    () => page.evaluate(async (options) => void (globalThis.encoded = await globalThis.tessera.encode(globalThis.picture, options)), options),
  );
}

async function decodeRace(name, options, side) {
  const picture = join(folder, `photo-${side}.png`);
  const texture = join(folder, options.format === 'astc' ? 'd.astc' : 'd.dds');
  execFileSync(command, ['sample', '-o', picture, '--size', `${side}x${side}`, '--quiet']);
  execFileSync(command, ['encode', picture, '-o', texture, '--format', options.format, '--block', options.block, '--preset', 'realtime', '--quiet']);
  await page.evaluate(async ({ options, side }) => {
    const picture = await globalThis.tessera.sample('photo', side, side);
    globalThis.encoded = await globalThis.tessera.encode(picture, { ...options, preset: 'realtime' });
  }, { options, side });
  await race(
    name,
    side * side,
    () => native('decode', texture, '-o', join(folder, 'd.ppm'), '--threads', '1', '--json').decode_seconds,
    () => page.evaluate(async () => void (await globalThis.tessera.decode(globalThis.encoded.bytes))),
  );
}

/** Milliseconds of the worker's thread for a tile, by batches, so that no clock's steps matter. */
async function tileTime(kind) {
  const batch = 100;
  await page.evaluate(async (kind) => {
    globalThis.tiles = await globalThis.tessera.tileEncoder({ width: 256, height: 256, block: '4x4' });
    globalThis.tile = (await globalThis.tessera.sample(kind, 256, 256)).data;
    globalThis.blocks = new Uint8Array(globalThis.tiles.byteLength);
  }, kind);
  const encodeBatch = () =>
    page.evaluate(async (count) => {
      for (let i = 0; i < count; ++i) {
        const { rgba, blocks } = await globalThis.tiles.encodeInWorker(globalThis.tile, globalThis.blocks);
        Object.assign(globalThis, { tile: rgba, blocks });
      }
    }, batch);
  for (let i = 0; i < 4; ++i) await encodeBatch();
  const times = [];
  for (let i = 0; i < runs; ++i) {
    const before = workerTimes();
    await encodeBatch();
    times.push((workerTimes() - before) / 1e6 / batch);
  }
  await page.evaluate(() => globalThis.tiles.close());
  console.log(`256x256 tile (${kind}), astc 4x4 realtime: median ${median(times).toFixed(2)} ms, best ${Math.min(...times).toFixed(2)} ms`);
}

/** Both take turns; each pair of neighbouring runs gives a ratio. */
async function workerGain(preset) {
  const times = await page.evaluate(
    async ({ preset, runs }) => {
      const { Tessera } = await import('/index.js');
      const both = [await Tessera.create({ workers: 1 }), await Tessera.create({ workers: 2 })];
      const picture = await both[0].sample('photo', 2048, 2048);
      const times = [[], []];
      for (let i = 0; i < runs + 3; ++i) {
        for (const [j, tessera] of both.entries()) {
          const { seconds } = await tessera.encode(picture, { format: 'astc', block: '4x4', preset });
          if (i >= 3) times[j].push(seconds * 1000);
        }
      }
      both.forEach((tessera) => tessera.close());
      return times;
    },
    { preset, runs },
  );
  const best = times.map((values) => Math.min(...values));
  const [one, two] = times.map(median);
  const ratio = median(times[0].map((value, i) => value / times[1][i]));
  console.log(
    `two workers, ${preset}: ${one.toFixed(0)} and ${two.toFixed(0)} ms, median of the ratios ${ratio.toFixed(2)}; best ${best[0].toFixed(0)} and ${best[1].toFixed(0)} ms, ${(best[0] / best[1]).toFixed(2)}`,
  );
}

if (command !== 'none') {
  await encodeRace('astc 4x4 realtime', { format: 'astc', block: '4x4', preset: 'realtime' }, 2048);
  await encodeRace('astc 4x4 fast', { format: 'astc', block: '4x4', preset: 'fast' }, 1024);
  await encodeRace('bc1 realtime', { format: 'bc1', block: '4x4', preset: 'realtime' }, 2048);
  await decodeRace('astc 4x4 decode', { format: 'astc', block: '4x4' }, 2048);
  await decodeRace('astc 6x6 decode', { format: 'astc', block: '6x6' }, 2048);
}
for (const kind of ['photo', 'interface']) await tileTime(kind);
for (const preset of ['realtime', 'fast']) await workerGain(preset);
await browser.close();
server.close();
