// Draws the viewer's picture in a worker: whatever a driver takes its time for (starting, compiling
// shaders, expanding textures), the page goes on.
import { driverIsDone } from '../gl/fence';
import { serveCalls, Transferred } from '../rpc';
import type { RenderMethods } from './render-protocol';
import { WebGlRenderer } from './webgl-renderer';

let renderer: WebGlRenderer | null = null;
let canvas: OffscreenCanvas | null = null;

function current(): WebGlRenderer {
  if (!renderer) throw new Error('The drawing surface has not been opened.');
  return renderer;
}

async function open(given: OffscreenCanvas): Promise<boolean> {
  const gl = given.getContext('webgl2', { alpha: false, antialias: false, depth: false });
  if (!gl) return false;
  canvas = given;
  canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
  renderer = new WebGlRenderer(gl);
  return true;
}

/** Comes back when the context is lost, or is not; the event may have come before anybody waited for it. */
async function untilLost(isLost: boolean): Promise<null> {
  const name = isLost ? 'webglcontextlost' : 'webglcontextrestored';
  if (current().gl.isContextLost() === isLost) return null;
  await new Promise((resolve) => canvas!.addEventListener(name, resolve, { once: true }));
  return null;
}

serveCalls<RenderMethods>({
  open,
  lost: () => untilLost(true),
  restored: async () => {
    await untilLost(false);
    current().makePrograms();
    return null;
  },
  driverFormat: (kind) => current().driverFormat(kind),
  setOriginal: async (pixels) => (await current().setOriginal(pixels), null),
  setResultPixels: async (pixels) => (await current().setResultPixels(pixels), null),
  setResultBlocks: ({ source, format }) => current().setResultBlocks(source, format),
  clearResult: async () => (current().clearResult(), null),
  setMap: async (map) => (await current().setMap(map), null),
  clearMap: async () => (current().clearMap(), null),
  // The next frame is drawn when this one is done, so that a slow driver shows the newest one.
  draw: async (frame) => {
    current().draw(frame);
    await driverIsDone(current().gl);
    return null;
  },
  readResult: async () => {
    const pixels = await current().readResult();
    return new Transferred(pixels, [pixels.data.buffer]);
  },
});
