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
  const shown = new ImageData(new Uint8ClampedArray(decoded.data), decoded.width, decoded.height);
  const { blockSquaredErrors } = await tessera.compare(image, shown, { block: '6x6' });
  const inspection: Inspection = await tessera.inspect(bytes);
  if (inspection.format === 'astc') console.log(endpointModeNames[inspection.endpointModes[0]!]);
  if (inspection.format === 'fractal') console.log(isometryNames[inspection.isometries[0]!]);
  const { sentences } = await tessera.explain(inspection, 3, 4);
  const tiles = await tessera.tileEncoder({ width: 256, height: 256 });
  tiles.encode(image.data);
  const { seconds } = await tiles.encodeInWorker(image.data);
  const status: TesseraStatus = new TesseraError('usage', sentences[0] ?? '').status;
  tessera.close();
  return blockSquaredErrors.length + seconds + status.length;
}
