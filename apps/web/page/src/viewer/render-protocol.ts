// What the page asks the worker that draws.
import type { MapImage, PixelBlock } from '../engine/protocol';
import type { DriverFormat, TextureKind } from '../gl/compressed-formats';
import type { BlockTexture, Frame } from './picture-renderer';

export type RenderMethods = {
  /** False where there is no WebGL 2. */
  open: { argument: OffscreenCanvas; result: boolean };
  /** Answered when the context is lost, and when it is back. */
  lost: { argument: null; result: null };
  restored: { argument: null; result: null };
  driverFormat: { argument: TextureKind; result: DriverFormat | null };
  setOriginal: { argument: PixelBlock; result: null };
  setResultPixels: { argument: PixelBlock; result: null };
  setResultBlocks: { argument: { source: BlockTexture; format: DriverFormat }; result: boolean };
  clearResult: { argument: null; result: null };
  setMap: { argument: MapImage; result: null };
  clearMap: { argument: null; result: null };
  draw: { argument: Frame; result: null };
  readResult: { argument: null; result: PixelBlock };
};
