// Draws the map in a worker: however long a driver takes for its tiles, the page goes on.
import { serveCalls, Transferred } from '../rpc';
import { SurfaceWorker } from '../surface/surface-worker';
import type { TileFrame, TileRenderMethods } from './tile-renderer';
import { WebGlTileRenderer } from './webgl-tile-renderer';

const surface = new SurfaceWorker<TileFrame, WebGlTileRenderer>((gl) => new WebGlTileRenderer(gl));

serveCalls<TileRenderMethods>({
  ...surface.handlers,
  setFormat: async (format) => surface.current.setFormat(format),
  fill: async (tile) => {
    surface.current.fill(tile);
    return new Transferred(tile.data, [tile.data.buffer]);
  },
  forget: async (slot) => (surface.current.forget(slot), null),
});
