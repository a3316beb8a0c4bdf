// The page's side of a worker that draws on a canvas of its own.
import { LatestOnly } from '../latest-only';
import type { WorkerClient } from '../rpc';
import type { SurfaceMethods } from './surface-protocol';

export class RemoteSurface<Frame> {
  /** The worker may have ended meanwhile; whoever owns the surface was told. */
  private readonly frames = new LatestOnly<Frame>((frame) => this.worker.call('draw', frame).then(() => {}, () => {}));

  constructor(
    private readonly worker: WorkerClient<SurfaceMethods<Frame>>,
    private readonly endSentence: string,
  ) {}

  /** False where the worker has no WebGL 2; the canvas cannot be used any more then. */
  open(canvas: OffscreenCanvas): Promise<boolean> {
    return this.worker.call('open', canvas, {}, [canvas]);
  }

  async lost(): Promise<void> {
    await this.worker.call('lost', null);
  }

  async restored(): Promise<void> {
    await this.worker.call('restored', null);
  }

  end(): void {
    this.worker.end(new Error(this.endSentence));
  }

  /** One frame at a time; of those that come meanwhile the last one is drawn. Returns whether a frame
   *  that waited is never seen because of this one. */
  draw(frame: Frame): boolean {
    return this.frames.ask(frame);
  }
}
