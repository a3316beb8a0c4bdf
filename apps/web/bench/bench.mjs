// usage: node bench.mjs COMMAND [RUNS]
// Measures the WebAssembly modules on one thread against the native command with SSE4, whose vectors
// have the same width, and the workers against each other. Native and WebAssembly take turns, so that
// other load on the machine meets both. The command tells the time that its encoder took; of
// WebAssembly it is the processor's time. Medians are shown, and the best of all runs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { Tessera } from '../js/index.js';
import { Engine, optionText } from '../js/src/engine.js';

const [command, runText = '9'] = process.argv.slice(2);
if (!command) {
  console.error('usage: node bench.mjs COMMAND [RUNS]');
  process.exit(1);
}
const runs = Number(runText);
const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const wasmFolder = new URL('../js/wasm/', import.meta.url);

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const file = (name) => join(folder, name);
const native = (...args) =>
  [
    JSON.parse(execFileSync(command, args, { env: { ...process.env, TESSERA_ISA: 'SSE4' }, encoding: 'utf8' })),
  ].flat()[0];
const seconds = (action) => {
  const start = performance.now();
  action();
  return (performance.now() - start) / 1000;
};

/** Processor time: this process, which lives long, is made to wait for others more often than the
 *  command, which does not. */
const processorSeconds = (action) => {
  const start = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
};

const module = new WebAssembly.Module(readFileSync(new URL('tessera.wasm', wasmFolder)));
const engine = new Engine(module);
const pictures = new Engine(new WebAssembly.Module(readFileSync(new URL('tessera-pictures.wasm', wasmFolder))));
const sample = (kind, width, height) =>
  pictures.guard(() => {
    pictures.withText(kind, (text) => pictures.check(pictures.exports.tessera_web_sample(text, width, height, 1)));
    return pictures.replyBytes();
  });

/** Medians and the best of both sides, in megapixels a second. */
function race(pixels, runNative, runWasm) {
  for (let i = 0; i < 3; ++i) runWasm(); // until the optimised code runs
  const times = { native: [], wasm: [] };
  for (let i = 0; i < runs; ++i) {
    times.native.push(runNative());
    times.wasm.push(runWasm());
  }
  const rates = (values) => ({ median: pixels / 1e6 / median(values), best: pixels / 1e6 / Math.min(...values) });
  return { native: rates(times.native), wasm: rates(times.wasm) };
}

function encodeRace(options, width, height) {
  const picture = file(`photo-${width}.png`);
  execFileSync(command, ['sample', '-o', picture, '--size', `${width}x${height}`, '--quiet']);
  const pixels = sample('photo', width, height);
  const { format, block, preset } = options;
  const out = file(format === 'astc' ? 'x.astc' : 'x.dds');
  const args = ['encode', picture, '-o', out, '--format', format, '--block', block, '--preset', preset];
  const { handle } = engine.encoderOf(optionText(options));
  const pointer = engine.exports.tessera_web_allocate(pixels.length);
  new Uint8Array(engine.exports.memory.buffer, pointer, pixels.length).set(pixels);
  const encodeInWasm = () => {
    engine.check(engine.exports.tessera_web_prepare(handle, pointer, width, height));
    const { factsLow, factsHigh } = engine.replyJson().levels[0];
    engine.check(
      engine.exports.tessera_web_encode_strip(handle, pointer, width, height, factsLow, factsHigh),
    );
  };
  const result = race(
    width * height,
    () => native(...args, '--threads', '1', '--json').encode_seconds,
    () => processorSeconds(encodeInWasm),
  );
  engine.exports.tessera_web_release(pointer);
  return result;
}

function decodeRace(format, block, width, height) {
  const picture = file(`photo-${width}.png`);
  const texture = file(format === 'astc' ? 'd.astc' : 'd.dds');
  execFileSync(command, ['sample', '-o', picture, '--size', `${width}x${height}`, '--quiet']);
  execFileSync(command, ['encode', picture, '-o', texture, '--format', format, '--block', block, '--preset', 'fast', '--quiet']);
  const blocks = readFileSync(texture).subarray(format === 'astc' ? 16 : 128);
  const decodeInWasm = () =>
    engine.withText(optionText({ format, block }), (text) =>
      engine.withMemory(blocks, (pointer) => {
        const { byteLength } = blocks;
        return processorSeconds(() =>
          engine.check(engine.exports.tessera_web_decode_strip(text, pointer, byteLength, width, height)),
        );
      }),
    );
  return race(
    width * height,
    () => native('decode', texture, '-o', file('d.ppm'), '--threads', '1', '--json').decode_seconds,
    decodeInWasm,
  );
}

async function tileTime(preset) {
  const tessera = await Tessera.create({ workers: 1 });
  const tile = await tessera.sample('interface', 256, 256);
  const tiles = await tessera.tileEncoder({ width: 256, height: 256, block: '4x4', preset });
  for (let i = 0; i < 50; ++i) tiles.encode(tile.data);
  const times = [];
  for (let i = 0; i < 300; ++i) times.push(seconds(() => tiles.encode(tile.data)));
  const { data } = await tessera.sample('photo', 256, 256);
  const photoTimes = [];
  for (let i = 0; i < 200; ++i) photoTimes.push(seconds(() => tiles.encode(data)));
  tessera.close();
  return { interface: median(times) * 1000, photo: median(photoTimes) * 1000 };
}

/** How much quicker two workers are than one. */
async function workerGain(options) {
  const both = [await Tessera.create({ workers: 1 }), await Tessera.create({ workers: 2 })];
  const picture = await both[0].sample('photo', 2048, 2048);
  const times = [[], []];
  for (let i = 0; i < Math.min(runs, 7) + 2; ++i) {
    for (const [j, tessera] of both.entries()) {
      const { seconds: taken } = await tessera.encode(picture, options);
      if (i >= 2) times[j].push(taken);
    }
  }
  both.forEach((tessera) => tessera.close());
  return { one: median(times[0]), two: median(times[1]), best: Math.min(...times[0]) / Math.min(...times[1]) };
}

const brotli = (name) => {
  const bytes = readFileSync(new URL(name, wasmFolder));
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 };
  return { bytes: bytes.length, brotli: zlib.brotliCompressSync(bytes, { params }).length };
};

const row = (name, { native: n, wasm: w }) => {
  const side = (of) =>
    `native ${n[of].toFixed(1).padStart(6)}  wasm ${w[of].toFixed(1).padStart(6)} MP/s  ${((100 * w[of]) / n[of]).toFixed(0)} %`;
  console.log(`${name.padEnd(18)} median: ${side('median')}   best: ${side('best')}`);
};

for (const name of ['tessera.wasm', 'tessera-fractal.wasm', 'tessera-pictures.wasm']) {
  const size = brotli(name);
  console.log(`${name}: ${size.bytes} bytes, ${size.brotli} with brotli`);
}
row('astc 4x4 realtime', encodeRace({ format: 'astc', block: '4x4', preset: 'realtime' }, 2048, 2048));
row('astc 6x6 realtime', encodeRace({ format: 'astc', block: '6x6', preset: 'realtime' }, 2048, 2048));
row('astc 4x4 fast', encodeRace({ format: 'astc', block: '4x4', preset: 'fast' }, 1024, 1024));
row('astc 4x4 medium', encodeRace({ format: 'astc', block: '4x4', preset: 'medium' }, 512, 512));
row('bc1 realtime', encodeRace({ format: 'bc1', block: '4x4', preset: 'realtime' }, 2048, 2048));
row('astc 4x4 decode', decodeRace('astc', '4x4', 2048, 2048));
row('astc 6x6 decode', decodeRace('astc', '6x6', 2048, 2048));
row('astc 8x8 decode', decodeRace('astc', '8x8', 2048, 2048));
row('bc1 decode', decodeRace('bc1', '4x4', 2048, 2048));
const tile = await tileTime('realtime');
console.log(`256x256 tile, astc 4x4 realtime: interface ${tile.interface.toFixed(2)} ms, photo ${tile.photo.toFixed(2)} ms`);
for (const preset of ['realtime', 'fast']) {
  const { one, two, best } = await workerGain({ format: 'astc', block: '4x4', preset });
  console.log(`two workers, ${preset}: ${(one / two).toFixed(2)} times one (${(one * 1000).toFixed(0)} and ${(two * 1000).toFixed(0)} ms), best runs ${best.toFixed(2)} times`);
}
