// The page's side of the worker that draws the map.
import { WorkerClient } from '../rpc';
import { RemoteSurface } from '../surface/remote-surface';
import type { TileFormat } from './protocol';
import type { FilledTile, TileFrame, TileRenderer, TileRenderMethods } from './tile-renderer';

const crashSentence = 'The worker that draws the tiles has crashed; the page draws without it.';

export class RemoteTileRenderer extends RemoteSurface<TileFrame> implements TileRenderer {
  private readonly client: WorkerClient<TileRenderMethods>;

  constructor(onCrash: () => void) {
    const worker = new Worker(new URL('./tile-render-worker.ts', import.meta.url), {
      type: 'module',
      name: 'tessera-tile-renderer',
    });
    const client = new WorkerClient<TileRenderMethods>(worker, crashSentence, onCrash);
    super(client, crashSentence);
    this.client = client;
  }

  setFormat(format: TileFormat): Promise<string | null> {
    return this.client.call('setFormat', format);
  }

  fill(tile: FilledTile): Promise<Uint8Array<ArrayBuffer>> {
    return this.client.call('fill', tile, {}, [tile.data.buffer]);
  }

  forget(slot: number): void {
    this.client.call('forget', slot).catch(() => {});
  }
}
