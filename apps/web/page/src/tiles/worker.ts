// Draws tiles and compresses them, on one thread and without a copy between.
import type { Tessera, TileEncoder } from 'tessera-wasm';
import { openLibrary } from '../engine/library';
import { serveCalls, Transferred } from '../rpc';
import { TilePainter } from './draw-tile';
import { tileSide, type TileFormat, type TileMethods, type TileOpening, type TileRequest } from './protocol';

let library: Promise<Tessera> | null = null;
let encoder: TileEncoder | null = null;
let format: TileFormat = { format: 'astc', block: '4x4' };
const painter = new TilePainter();

async function open({ files, ...wanted }: TileOpening) {
  library ??= openLibrary(files, 1).catch((error: unknown) => {
    library = null; // The next call tries again.
    throw error;
  });
  const tessera = await library;
  encoder?.close();
  format = wanted;
  encoder = await tessera.tileEncoder({ ...wanted, width: tileSide, height: tileSide, preset: 'realtime' });
  const { blockWidth, blockHeight, byteLength } = encoder;
  return { blockWidth, blockHeight, byteLength };
}

async function tile({ column, row, decode, out }: TileRequest) {
  if (!encoder) throw new Error('The tile encoder has not been opened.');
  const started = performance.now();
  const pixels = painter.paint(column, row);
  const drawn = performance.now();
  const blocks = out?.length === encoder.byteLength ? out : new Uint8Array(encoder.byteLength);
  encoder.encode(pixels, blocks);
  const encoded = performance.now();
  const { memoryBytes } = encoder;
  let data = blocks;
  if (decode) {
    const raw = { ...format, width: tileSide, height: tileSide };
    const decoded = await (await library!).decode(blocks, { raw });
    data = new Uint8Array(decoded.data.buffer as ArrayBuffer);
  }
  const times = { drawSeconds: (drawn - started) / 1000, encodeSeconds: (encoded - drawn) / 1000 };
  return new Transferred({ data, ...times, memoryBytes }, [data.buffer]);
}

serveCalls<TileMethods>({ open, tile });
