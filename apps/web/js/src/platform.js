// What differs between browsers and Node.js: where files come from, and what workers are.
import { failedError, usageError } from './errors.js';

const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);

// Names of Node.js's modules, kept from bundlers.
const nodeModules = {
  addresses: 'node:url',
  files: 'node:fs/promises',
  threads: 'node:worker_threads',
  system: 'node:os',
};
const nodeModule = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ nodeModules[name]);

export async function processorCount() {
  // Some systems list no processors.
  if (isNode) return Math.max(1, (await nodeModule('system')).cpus().length);
  return globalThis.navigator?.hardwareConcurrency || 2;
}

/** A compiled module of an address, bytes, or a module that is compiled already. */
export async function compileModule(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string') return compileAddress(await readAddress(source));
  if (typeof source?.href === 'string') return compileAddress(await readAddress(source.href));
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return compileBytes(source);
  }
  throw usageError('A module is an address, its bytes, or a compiled WebAssembly.Module.');
}

async function compileBytes(bytes) {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw failedError(`The WebAssembly module cannot be compiled: ${error.message}.`);
  }
}

/** In Node.js a text without a protocol is the path of a file. One letter is a drive of Windows. */
async function readAddress(text) {
  if (isNode && !/^[a-z][a-z\d+.-]+:/i.test(text)) {
    return (await nodeModule('addresses')).pathToFileURL(text);
  }
  try {
    return new URL(text, globalThis.location?.href ?? import.meta.url);
  } catch {
    throw usageError(`${JSON.stringify(text)} is not the address of a module.`);
  }
}

async function compileAddress(url) {
  if (isNode && url.protocol === 'file:') {
    const { readFile } = await nodeModule('files');
    return compileBytes(
      await readFile(url).catch((error) => {
        throw failedError(`The WebAssembly module cannot be read: ${error.message}.`);
      }),
    );
  }
  const response = await fetch(url).catch((error) => {
    throw failedError(`The WebAssembly module cannot be loaded from ${url}: ${error.message}.`);
  });
  if (!response.ok) {
    throw failedError(`The WebAssembly module cannot be loaded from ${url}: status ${response.status}.`);
  }
  return compileBytes(await response.arrayBuffer());
}

/** A function that starts workers, and one that gives all workers the same face. */
export async function defaultWorkerMaker() {
  if (isNode) {
    const { Worker: NodeWorker } = await nodeModule('threads');
    const address = new URL('./worker.js', import.meta.url);
    return () => new NodeWorker(address);
  }
  return () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}

const unreadMessage = 'a message could not be read';

/** `onMessage(data)`, and `onCrash(reason)` where the worker ends without being asked to. */
export function listenToWorker(worker, onMessage, onCrash) {
  if (typeof worker.on === 'function') {
    worker.on('message', onMessage);
    worker.on('messageerror', () => onCrash(unreadMessage));
    worker.on('error', (error) => onCrash(error.message));
    worker.on('exit', (code) => onCrash(`it ended with code ${code}`));
    worker.unref(); // an idle worker does not keep a program alive
  } else {
    worker.onmessage = (event) => onMessage(event.data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      onCrash(event.message || 'its script cannot be loaded');
    };
    worker.onmessageerror = () => onCrash(unreadMessage);
  }
}

/** While a worker has work, it keeps a program of Node.js alive. */
export function keepAlive(worker, isBusy) {
  if (isBusy) worker.ref?.();
  else worker.unref?.();
}
