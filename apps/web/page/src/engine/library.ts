// Opens the library, in a worker, with the files that the page has fetched.
import { Tessera } from 'tessera-wasm';
import type { LibraryFiles } from './library-files';

export async function openLibrary(files: LibraryFiles, workers: number): Promise<Tessera> {
  const { main, fractal, pictures, poolScript } = files;
  return Tessera.create({
    workers: Math.max(1, Math.min(workers, 8)),
    module: main,
    fractalModule: fractal,
    picturesModule: pictures,
    ...(poolScript ? { createWorker: () => new Worker(poolScript, { type: 'module' }) } : {}),
  });
}
