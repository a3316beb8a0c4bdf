// The page's side of the worker that draws the picture.
import type { MapImage, PixelBlock } from '../engine/protocol';
import type { DriverFormat, TextureKind } from '../gl/compressed-formats';
import { WorkerClient } from '../rpc';
import { RemoteSurface } from '../surface/remote-surface';
import type { BlockTexture, Frame, PictureRenderer } from './picture-renderer';
import type { RenderMethods } from './render-protocol';

const crashSentence = 'The worker that draws the picture has crashed; the page draws without it.';

export class RemoteRenderer extends RemoteSurface<Frame> implements PictureRenderer {
  private readonly client: WorkerClient<RenderMethods>;

  constructor(onCrash: () => void) {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      type: 'module',
      name: 'tessera-renderer',
    });
    const client = new WorkerClient<RenderMethods>(worker, crashSentence, onCrash);
    super(client, crashSentence);
    this.client = client;
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

  readResult(): Promise<PixelBlock> {
    return this.client.call('readResult', null);
  }

  private tell(method: 'clearResult' | 'clearMap'): void {
    this.client.call(method, null).catch(() => {});
  }
}
