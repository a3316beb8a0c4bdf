// Opens the library with all modules at hand: after the page has loaded, nothing is fetched any
// more, not even for fractal images.
import { Tessera } from 'tessera-wasm';
import mainAddress from 'tessera-wasm/tessera.wasm?url';
import fractalAddress from 'tessera-wasm/tessera-fractal.wasm?url';
import picturesAddress from 'tessera-wasm/tessera-pictures.wasm?url';

async function compiled(address: string): Promise<WebAssembly.Module> {
  const answer = await fetch(new URL(address, import.meta.url)).catch(() => null);
  if (!answer) throw new Error('The library could not be loaded: the server did not answer.');
  if (!answer.ok) throw new Error(`The library could not be loaded: the server answered ${answer.status}.`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

let modules: Promise<WebAssembly.Module[]> | null = null;

export async function openLibrary(workers: number): Promise<Tessera> {
  modules ??= Promise.all([mainAddress, fractalAddress, picturesAddress].map(compiled));
  const [module, fractalModule, picturesModule] = await modules.catch((error: unknown) => {
    modules = null; // The next call tries again.
    throw error;
  });
  const count = Math.max(1, Math.min(workers, 8));
  return Tessera.create({ workers: count, module: module!, fractalModule: fractalModule!, picturesModule: picturesModule! });
}
