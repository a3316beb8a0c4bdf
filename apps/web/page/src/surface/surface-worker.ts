// The worker's side of a surface: its WebGL context, which may be lost and come back, and its frames.
import { driverIsDone } from '../gl/fence';
import type { Handlers } from '../rpc';
import type { SurfaceMethods } from './surface-protocol';

/** What draws in the worker. */
export interface ContextRenderer<Frame> {
  readonly gl: WebGL2RenderingContext;
  /** After the context came back; all textures are gone. */
  makePrograms(): void;
  draw(frame: Frame): void;
}

/** Comes back when the context is lost, or is not; the event may have come before anybody waited for it. */
async function untilLost(gl: WebGL2RenderingContext, isLost: boolean): Promise<void> {
  if (gl.isContextLost() === isLost) return;
  const name = isLost ? 'webglcontextlost' : 'webglcontextrestored';
  await new Promise((resolve) => gl.canvas.addEventListener(name, resolve, { once: true }));
}

export class SurfaceWorker<Frame, Renderer extends ContextRenderer<Frame>> {
  private renderer: Renderer | null = null;

  constructor(private readonly makeRenderer: (gl: WebGL2RenderingContext) => Renderer) {}

  get current(): Renderer {
    if (!this.renderer) throw new Error('The drawing surface has not been opened.');
    return this.renderer;
  }

  /** Answers to the calls that all surfaces have. */
  readonly handlers: Handlers<SurfaceMethods<Frame>> = {
    open: async (canvas) => this.open(canvas),
    lost: async () => {
      await untilLost(this.current.gl, true);
      return null;
    },
    restored: async () => {
      await untilLost(this.current.gl, false);
      this.current.makePrograms();
      return null;
    },
    // The next frame is drawn when this one is done, so that a slow driver shows the newest one.
    draw: async (frame) => {
      this.current.draw(frame);
      await driverIsDone(this.current.gl);
      return null;
    },
  };

  private open(canvas: OffscreenCanvas): boolean {
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
    if (!gl) return false;
    // Without this a lost context never comes back.
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    this.renderer = this.makeRenderer(gl);
    return true;
  }
}
