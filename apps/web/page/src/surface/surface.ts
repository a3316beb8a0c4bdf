// The surface that a page draws on: WebGL in a worker, where there is none a plain canvas. A WebGL
// context may be lost at any time, and may or may not come back.
import type { RemoteSurface } from './remote-surface';

export interface SurfaceEvents<Renderer> {
  onLost(): void;
  /** There is a working surface again, on which nothing is drawn yet. `canvas` is another one than
   *  before where the context did not come back. */
  onBack(canvas: HTMLCanvasElement, renderer: Renderer): void;
}

/** The two ways of drawing that a page has. */
export interface Renderers<Renderer> {
  inWorker(onCrash: () => void): Renderer & Pick<RemoteSurface<unknown>, 'open' | 'lost' | 'restored' | 'end'>;
  onPlainCanvas(context: CanvasRenderingContext2D): Renderer;
}

/** How long a driver gets to come back, in milliseconds. */
const patience = 4000;

export interface Surface<Renderer> {
  canvas: HTMLCanvasElement;
  renderer: Renderer;
}

/** Replaces the canvas, which may be bound to a context that is gone. */
function plainSurface<Renderer>(canvas: HTMLCanvasElement, renderers: Renderers<Renderer>): Surface<Renderer> {
  const plain = document.createElement('canvas');
  plain.id = canvas.id;
  plain.setAttribute('aria-hidden', 'true');
  const context = plain.getContext('2d');
  if (!context) throw new Error('This browser can draw neither with WebGL nor with a plain canvas.');
  return { canvas: plain, renderer: renderers.onPlainCanvas(context) };
}

export async function openSurface<Renderer>(
  canvas: HTMLCanvasElement,
  renderers: Renderers<Renderer>,
  events: SurfaceEvents<Renderer>,
): Promise<Surface<Renderer>> {
  if (!('transferControlToOffscreen' in canvas)) return plainSurface(canvas, renderers);
  let isOpen = false;
  const giveUp = () => {
    if (!isOpen) return;
    const plain = plainSurface(canvas, renderers);
    events.onBack(plain.canvas, plain.renderer);
  };
  const renderer = renderers.inWorker(giveUp);
  // A worker that cannot be started has no WebGL either.
  isOpen = await renderer.open(canvas.transferControlToOffscreen()).catch(() => false);
  if (!isOpen) {
    renderer.end();
    return plainSurface(canvas, renderers);
  }
  const watch = async () => {
    for (;;) {
      await renderer.lost();
      events.onLost();
      const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), patience));
      if ((await Promise.race([renderer.restored(), late])) === 'late') break;
      events.onBack(canvas, renderer);
    }
    renderer.end();
    giveUp();
  };
  // The watch ends when the worker does.
  watch().catch(() => {});
  return { canvas, renderer };
}
