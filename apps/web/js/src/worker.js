// The worker: private instances of the modules, and a queue of tasks that arrive as messages.
import { Engine } from './engine.js';
import { toMessage } from './errors.js';
import { TileEngine, tasks } from './tasks.js';

let port;
const modules = {};
const engines = {};
const tiles = new Map();
let currentId = 0;

const send = (message, transfer = []) => port.postMessage(message, transfer);

function engineOf(name) {
  engines[name] ??= new Engine(modules[name], (progress) => send({ id: currentId, progress }));
  return engines[name];
}

/** Tiles: made at the first one, and again in a worker that has replaced another. */
function encodeTile({ key, options, width, height, rgba, out }) {
  const start = performance.now();
  if (!tiles.has(key)) {
    tiles.set(key, TileEngine.inWorker(modules.blocks, options, width, height));
  }
  const tile = tiles.get(key);
  const blocks = tile.encode(rgba, out ?? new Uint8Array(tile.info.byteLength));
  const seconds = (performance.now() - start) / 1000;
  return { result: { rgba, blocks, seconds }, transfer: [rgba.buffer, blocks.buffer] };
}

function serve({ id, task, module = 'blocks', args }) {
  currentId = id;
  try {
    const { result, transfer } =
      task === 'encodeTile'
        ? encodeTile(args)
        : engineOf(module).guard((engine) => tasks[task](engine, args));
    send({ id, result }, transfer);
  } catch (error) {
    send({ id, error: toMessage(error) });
  }
}

function receive(message) {
  if (message.load) Object.assign(modules, message.load);
  else if (message.closeTile) tiles.delete(message.closeTile);
  else serve(message);
}

// Browsers must not miss a message, so nothing is waited for there. The name of Node.js's module is
// kept from bundlers.
if (typeof process !== 'undefined' && process.versions?.node) {
  const nodeThreads = 'node:worker_threads';
  import(/* webpackIgnore: true */ /* @vite-ignore */ nodeThreads).then(({ parentPort }) => {
    port = parentPort;
    port.on('message', receive);
  });
} else {
  port = self;
  port.onmessage = (event) => receive(event.data);
}
