// What the page of tiles asks its worker.
import type { LibraryFiles } from '../engine/library-files';

export const tileSide = 256;

export interface TileFormat {
  format: 'astc' | 'bc1';
  /** Such as `6x6`. */
  block: string;
}

export interface TileOpening extends TileFormat {
  files: LibraryFiles;
}

export interface TileRequest {
  column: number;
  row: number;
  /** True where the driver cannot draw the format: pixels are decoded in the worker. */
  decode: boolean;
  /** An array of a tile before, to be filled again. */
  out: Uint8Array<ArrayBuffer> | null;
}

export interface Tile {
  /** Blocks, or RGBA pixels where they were asked for. */
  data: Uint8Array<ArrayBuffer>;
  drawSeconds: number;
  encodeSeconds: number;
  /** WebAssembly memory of the encoder. */
  memoryBytes: number;
}

export type TileMethods = {
  open: { argument: TileOpening; result: { blockWidth: number; blockHeight: number; byteLength: number } };
  tile: { argument: TileRequest; result: Tile };
};
