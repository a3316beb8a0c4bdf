// What the viewer needs of a renderer: one draws with WebGL, in a worker where the browser can, the
// other with a plain canvas.
import type { DriverFormat, TextureKind } from '../gl/compressed-formats';
import type { MapImage, PixelBlock } from '../engine/protocol';
import type { Colors } from './theme-colors';
import type { Point, View } from './viewport';

/** One drawing of the viewer. Lengths are CSS pixels unless said otherwise. */
export interface Frame {
  /** Of the canvas, in its own pixels. */
  width: number;
  height: number;
  pixelRatio: number;
  /** Of a texel. */
  scale: number;
  /** Of the picture in a pane. */
  origin: Point;
  view: View;
  /** Part of the width that shows the original, 0 to 1. */
  divider: number;
  gain: number;
  mapOpacity: number;
  colors: Colors;
}

export interface BlockTexture extends TextureKind {
  blocks: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
}

/** What a pane shows: 0 original, 1 result, 2 error. */
export const paneViews: Record<View, number[]> = {
  split: [0],
  panes: [0, 1, 2],
  original: [0],
  result: [1],
  error: [2],
};

export function paneCount(view: View): number {
  return paneViews[view].length;
}

/** Arrays that are handed over belong to the renderer afterwards. */
export interface PictureRenderer {
  /** How a texture can be drawn from its blocks; null where it has to be decoded first. */
  driverFormat(kind: TextureKind): Promise<DriverFormat | null>;
  /** Forgets the result and the map, too. */
  setOriginal(pixels: PixelBlock): Promise<void>;
  setResultPixels(pixels: PixelBlock): Promise<void>;
  /** False where the driver refuses the texture after all: it is too large, or there is no memory. */
  setResultBlocks(source: BlockTexture, format: DriverFormat): Promise<boolean>;
  clearResult(): void;
  setMap(map: MapImage): Promise<void>;
  clearMap(): void;
  draw(frame: Frame): void;
  /** The texels of the result as they are drawn. */
  readResult(): Promise<PixelBlock>;
}
