// A program of Node.js, whose types have nothing of browsers; the compiler checks it, nothing runs.
import { Tessera } from '../index.js';
import type { Pixels, SignalLike, WorkerLike } from '../index.js';

declare const signal: SignalLike;
declare const createWorker: () => WorkerLike;

export async function use(picture: Pixels): Promise<number> {
  const tessera = await Tessera.create({ workers: 2, createWorker, module: new Uint8Array(8) });
  const { bytes } = await tessera.encode(picture, { format: 'astc', block: '6x6', signal });
  const { psnrRgb } = await tessera.compare(picture, await tessera.decode(bytes));
  tessera.close();
  return psnrRgb;
}
