// The surface that pictures are drawn on: WebGL where there is one, else a plain canvas. A WebGL
// context may be lost at any time, and may or may not come back.
import { CanvasRenderer } from './viewer/canvas-renderer';
import type { PictureRenderer } from './viewer/picture-renderer';
import { WebGlRenderer } from './viewer/webgl-renderer';

export interface SurfaceEvents {
  onLost(): void;
  /** There is a working surface again, on which nothing is drawn yet. `canvas` is another one than
   *  before where the context did not come back. */
  onBack(canvas: HTMLCanvasElement, renderer: PictureRenderer): void;
  onChange(): void;
}

/** How long a driver gets to come back. */
const patience = 4000;

function plainRenderer(canvas: HTMLCanvasElement, onChange: () => void): PictureRenderer {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser can draw neither with WebGL nor with a plain canvas.');
  return new CanvasRenderer(context, onChange);
}

export function openSurface(canvas: HTMLCanvasElement, events: SurfaceEvents): PictureRenderer {
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
  if (!gl) return plainRenderer(canvas, events.onChange);
  const renderer = new WebGlRenderer(gl);
  let waiting: ReturnType<typeof setTimeout>;
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    events.onLost();
    waiting = setTimeout(() => {
      const plain = document.createElement('canvas');
      plain.id = canvas.id;
      plain.setAttribute('aria-hidden', 'true');
      events.onBack(plain, plainRenderer(plain, events.onChange));
    }, patience);
  });
  canvas.addEventListener('webglcontextrestored', () => {
    // Too late where a plain canvas has taken over.
    if (!canvas.isConnected) return;
    clearTimeout(waiting);
    renderer.makePrograms();
    events.onBack(canvas, renderer);
  });
  return renderer;
}
