// The surface that pictures are drawn on: WebGL in a worker, where there is none a plain canvas. A
// WebGL context may be lost at any time, and may or may not come back.
import { CanvasRenderer } from './viewer/canvas-renderer';
import type { PictureRenderer } from './viewer/picture-renderer';
import { RemoteRenderer } from './viewer/remote-renderer';

export interface SurfaceEvents {
  onLost(): void;
  /** There is a working surface again, on which nothing is drawn yet. `canvas` is another one than
   *  before where the context did not come back. */
  onBack(canvas: HTMLCanvasElement, renderer: PictureRenderer): void;
  onChange(): void;
}

/** How long a driver gets to come back, in milliseconds. */
const patience = 4000;

interface Surface {
  canvas: HTMLCanvasElement;
  renderer: PictureRenderer;
}

/** Replaces the canvas, which may be bound to a context that is gone. */
function plainSurface(canvas: HTMLCanvasElement, events: SurfaceEvents): Surface {
  const plain = document.createElement('canvas');
  plain.id = canvas.id;
  plain.setAttribute('aria-hidden', 'true');
  const context = plain.getContext('2d');
  if (!context) throw new Error('This browser can draw neither with WebGL nor with a plain canvas.');
  return { canvas: plain, renderer: new CanvasRenderer(context, events.onChange) };
}

function giveUp(canvas: HTMLCanvasElement, events: SurfaceEvents): void {
  const plain = plainSurface(canvas, events);
  events.onBack(plain.canvas, plain.renderer);
}

async function watch(canvas: HTMLCanvasElement, renderer: RemoteRenderer, events: SurfaceEvents): Promise<void> {
  for (;;) {
    await renderer.lost();
    events.onLost();
    const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), patience));
    if ((await Promise.race([renderer.restored(), late])) === 'late') break;
    events.onBack(canvas, renderer);
  }
  renderer.end();
  giveUp(canvas, events);
}

export async function openSurface(canvas: HTMLCanvasElement, events: SurfaceEvents): Promise<Surface> {
  if (!('transferControlToOffscreen' in canvas)) return plainSurface(canvas, events);
  const renderer = new RemoteRenderer(() => giveUp(canvas, events));
  if (!(await renderer.open(canvas.transferControlToOffscreen()))) {
    renderer.end();
    return plainSurface(canvas, events);
  }
  // The watch ends when the worker does.
  watch(canvas, renderer, events).catch(() => {});
  return { canvas, renderer };
}
