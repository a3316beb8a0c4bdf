// What the page asks the worker that draws the picture.
import type { MapImage, PixelBlock } from '../engine/protocol';
import type { DriverFormat, TextureKind } from '../gl/compressed-formats';
import type { SurfaceMethods } from '../surface/surface-protocol';
import type { BlockTexture, Frame } from './picture-renderer';

export type RenderMethods = SurfaceMethods<Frame> & {
  driverFormat: { argument: TextureKind; result: DriverFormat | null };
  setOriginal: { argument: PixelBlock; result: null };
  setResultPixels: { argument: PixelBlock; result: null };
  setResultBlocks: { argument: { source: BlockTexture; format: DriverFormat }; result: boolean };
  clearResult: { argument: null; result: null };
  setMap: { argument: MapImage; result: null };
  clearMap: { argument: null; result: null };
  readResult: { argument: null; result: PixelBlock };
};
