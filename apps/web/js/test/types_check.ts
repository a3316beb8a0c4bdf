// Every call as a program in TypeScript writes it; the compiler checks it, nothing runs.
import { Tessera, TesseraError, endpointModeNames, isometryNames } from '../index.js';
import type { EncodeOptions, Inspection, TesseraStatus } from '../index.js';

export async function use(image: ImageData, bitmap: ImageBitmap, signal: AbortSignal): Promise<number> {
  const tessera = await Tessera.create({ workers: 2, createWorker: () => new Worker('worker.js') });
  const options: EncodeOptions = { format: 'astc', block: '6x6', preset: 'fast', mips: true, signal };
  const { bytes, levels } = await tessera.encode(image, options);
  await tessera.encode(bitmap, { format: 'bc1', method: 'cluster', container: 'ktx2' });
  await tessera.encode({ data: new Uint8Array(4), width: 1, height: 1 }, { options: { swizzle: 'rrr1' } });
  const decoded = await tessera.decode(bytes, { level: levels.length - 1, passes: 3 });
  const shown = new ImageData(decoded.data, decoded.width, decoded.height);
  await fetch('texture', { method: 'POST', body: bytes });
  const size = new Blob([bytes]).size;
  const sample = await tessera.sample('photo', 4, 4, 1, { signal });
  const pictureOfSample = new ImageData(sample.data, sample.width, sample.height);
  const { blockSquaredErrors } = await tessera.compare(image, shown, { block: '6x6' });
  const inspection: Inspection = await tessera.inspect(bytes, { signal });
  if (inspection.format === 'astc') console.log(endpointModeNames[inspection.endpointModes[0]!]);
  if (inspection.format === 'fractal') console.log(isometryNames[inspection.isometries[0]!]);
  const { sentences } = await tessera.explain(inspection, 3, 4, { signal });
  const tiles = await tessera.tileEncoder({ width: 256, height: 256 });
  const tile = new Blob([tiles.encode(image.data), tiles.encode(image.data, new Uint8Array(tiles.byteLength))]);
  const { seconds } = await tiles.encodeInWorker(image.data);
  const { rgba, blocks } = await tiles.encodeInWorker(new Uint8Array(16));
  const both: Blob = new Blob([rgba, blocks, tile]);
  // @ts-expect-error Tessera is opened by Tessera.create().
  new Tessera();
  // @ts-expect-error The option does not exist.
  await tessera.encode(image, { blocks: '6x6' });
  const status: TesseraStatus = new TesseraError('usage', sentences[0] ?? '').status;
  tessera.close();
  return blockSquaredErrors.length + seconds + status.length + size + both.size + pictureOfSample.width;
}
