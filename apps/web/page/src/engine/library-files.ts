// The library's files, fetched once and compiled by the page, which gives them to its workers: after the
// page has loaded, nothing is fetched any more, not even for fractal images or after a crash.
import mainAddress from 'tessera-wasm/tessera.wasm?url';
import fractalAddress from 'tessera-wasm/tessera-fractal.wasm?url';
import picturesAddress from 'tessera-wasm/tessera-pictures.wasm?url';
import poolAddress from 'tessera-wasm/worker.js?worker&url';
import { WorkerScript } from '../worker-script';

export interface LibraryFiles {
  main: WebAssembly.Module;
  fractal: WebAssembly.Module;
  pictures: WebAssembly.Module;
  /** Address of the script of the library's workers; null: the library knows it. */
  poolScript: string | null;
}

const cannotRun = 'This browser cannot run the library, which needs WebAssembly with vectors of 128 bits.';

async function compiled(address: string): Promise<WebAssembly.Module> {
  const answer = await fetch(new URL(address, import.meta.url)).catch(() => null);
  if (!answer) throw new Error('The library could not be loaded: the server did not answer.');
  if (!answer.ok) throw new Error(`The library could not be loaded: the server answered ${answer.status}.`);
  const bytes = await answer.arrayBuffer().catch(() => null);
  if (!bytes) throw new Error('The library could not be loaded: the connection was lost.');
  return WebAssembly.compile(bytes).catch(() => {
    throw new Error(cannotRun);
  });
}

const poolScript = new WorkerScript(poolAddress);
let files: Promise<LibraryFiles> | null = null;

/** Files that could not be loaded are tried again by the next call. */
export function libraryFiles(): Promise<LibraryFiles> {
  files ??= loadAll().catch((error: unknown) => {
    files = null;
    throw error;
  });
  return files;
}

async function loadAll(): Promise<LibraryFiles> {
  const addresses = [mainAddress, fractalAddress, picturesAddress];
  const [main, fractal, pictures] = await Promise.all(addresses.map(compiled));
  return { main: main!, fractal: fractal!, pictures: pictures!, poolScript: await poolScript.copyAddress() };
}
