// Draws the viewer's picture in a worker: whatever a driver takes its time for (starting, compiling
// shaders, expanding textures), the page goes on.
import { serveCalls, Transferred } from '../rpc';
import { SurfaceWorker } from '../surface/surface-worker';
import type { Frame } from './picture-renderer';
import type { RenderMethods } from './render-protocol';
import { WebGlRenderer } from './webgl-renderer';

const surface = new SurfaceWorker<Frame, WebGlRenderer>((gl) => new WebGlRenderer(gl));

serveCalls<RenderMethods>({
  ...surface.handlers,
  driverFormat: (kind) => surface.current.driverFormat(kind),
  setOriginal: async (pixels) => (await surface.current.setOriginal(pixels), null),
  setResultPixels: async (pixels) => (await surface.current.setResultPixels(pixels), null),
  setResultBlocks: ({ source, format }) => surface.current.setResultBlocks(source, format),
  clearResult: async () => (surface.current.clearResult(), null),
  setMap: async (map) => (await surface.current.setMap(map), null),
  clearMap: async () => (surface.current.clearMap(), null),
  readResult: async () => {
    const pixels = await surface.current.readResult();
    return new Transferred(pixels, [pixels.data.buffer]);
  },
});
