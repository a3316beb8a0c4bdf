// The page's side of the worker that draws.
import type { MapImage, PixelBlock } from '../engine/protocol';
import type { DriverFormat, TextureKind } from '../gl/compressed-formats';
import { WorkerClient } from '../rpc';
import type { BlockTexture, Frame, PictureRenderer } from './picture-renderer';
import type { RenderMethods } from './render-protocol';

const crashSentence = 'The worker that draws the picture has crashed; the page draws without it.';

export class RemoteRenderer implements PictureRenderer {
  private readonly client: WorkerClient<RenderMethods>;
  private drawing = false;
  private next: Frame | null = null;

  constructor(onCrash: () => void) {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      type: 'module',
      name: 'tessera-renderer',
    });
    this.client = new WorkerClient<RenderMethods>(worker, crashSentence, onCrash);
  }

  /** False where the worker has no WebGL 2; the canvas cannot be used any more then. */
  open(canvas: OffscreenCanvas): Promise<boolean> {
    return this.client.call('open', canvas, {}, [canvas]);
  }

  async lost(): Promise<void> {
    await this.client.call('lost', null);
  }

  async restored(): Promise<void> {
    await this.client.call('restored', null);
  }

  end(): void {
    this.client.end(new Error(crashSentence));
  }

  driverFormat(kind: TextureKind): Promise<DriverFormat | null> {
    return this.client.call('driverFormat', kind);
  }

  async setOriginal(pixels: PixelBlock): Promise<void> {
    await this.client.call('setOriginal', pixels, {}, [pixels.data.buffer]);
  }

  async setResultPixels(pixels: PixelBlock): Promise<void> {
    await this.client.call('setResultPixels', pixels, {}, [pixels.data.buffer]);
  }

  setResultBlocks(source: BlockTexture, format: DriverFormat): Promise<boolean> {
    return this.client.call('setResultBlocks', { source, format }, {}, [source.blocks.buffer]);
  }

  clearResult(): void {
    this.tell('clearResult');
  }

  async setMap(map: MapImage): Promise<void> {
    await this.client.call('setMap', map, {}, [map.pixels.data.buffer]);
  }

  clearMap(): void {
    this.tell('clearMap');
  }

  /** One frame at a time; of those that come meanwhile the last one is drawn. */
  draw(frame: Frame): void {
    this.next = frame;
    if (!this.drawing) void this.drawNext();
  }

  readResult(): Promise<PixelBlock> {
    return this.client.call('readResult', null);
  }

  private async drawNext(): Promise<void> {
    this.drawing = true;
    try {
      while (this.next) {
        const frame = this.next;
        this.next = null;
        await this.client.call('draw', frame);
      }
    } catch {
      // The worker has ended; whoever owns the surface was told.
    } finally {
      this.drawing = false;
    }
  }

  private tell(method: 'clearResult' | 'clearMap'): void {
    this.client.call(method, null).catch(() => {});
  }
}
