// What the page of tiles needs of a renderer: one draws with WebGL, in a worker where the browser can,
// the other with a plain canvas.
import type { SurfaceMethods } from '../surface/surface-protocol';
import type { Color } from '../viewer/theme-colors';
import type { TileFormat } from './protocol';

/** What the map shows; tiles are drawn where they belong on it. */
export interface TileFrame {
  /** Of the canvas, in its own pixels. */
  width: number;
  height: number;
  pixelRatio: number;
  /** The first row of the map that is seen, in CSS pixels from its beginning. */
  top: number;
  background: Color;
}

/** A tile and the place that the renderer keeps it in; a tile that was there before is forgotten. */
export interface FilledTile {
  slot: number;
  column: number;
  row: number;
  /** Blocks where the driver draws the format, else RGBA pixels. It belongs to the renderer until it is given back. */
  data: Uint8Array<ArrayBuffer>;
}

export interface TileRenderer {
  /** Forgets all tiles. The extension that draws the format, or null where tiles have to be decoded. */
  setFormat(format: TileFormat): Promise<string | null>;
  /** Gives the tile's array back. */
  fill(tile: FilledTile): Promise<Uint8Array<ArrayBuffer>>;
  forget(slot: number): void;
  /** Returns whether a frame that waited is never seen because of this one. */
  draw(frame: TileFrame): boolean;
}

/** The calls of the worker that draws tiles. */
export type TileRenderMethods = SurfaceMethods<TileFrame> & {
  setFormat: { argument: TileFormat; result: string | null };
  fill: { argument: FilledTile; result: Uint8Array<ArrayBuffer> };
  forget: { argument: number; result: null };
};
