// Draws the map with a plain canvas where the browser has no WebGL 2 in workers; tiles come decoded.
import { setCanvasSize } from '../surface/canvas-size';
import { cssColor } from '../viewer/theme-colors';
import { tileSide } from './protocol';
import type { FilledTile, TileFrame, TileRenderer } from './tile-renderer';

interface DrawnTile {
  canvas: HTMLCanvasElement;
  column: number;
  row: number;
}

export class CanvasTileRenderer implements TileRenderer {
  private readonly tiles = new Map<number, DrawnTile>();

  constructor(private readonly context: CanvasRenderingContext2D) {}

  async setFormat(): Promise<null> {
    this.tiles.clear();
    return null;
  }

  async fill({ slot, column, row, data }: FilledTile): Promise<Uint8Array<ArrayBuffer>> {
    const canvas = this.tiles.get(slot)?.canvas ?? document.createElement('canvas');
    setCanvasSize(canvas, { width: tileSide, height: tileSide });
    const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
    canvas.getContext('2d')!.putImageData(new ImageData(pixels, tileSide, tileSide), 0, 0);
    this.tiles.set(slot, { canvas, column, row });
    return data;
  }

  forget(slot: number): void {
    this.tiles.delete(slot);
  }

  draw(frame: TileFrame): boolean {
    const { context } = this;
    const { width, height, pixelRatio, top } = frame;
    setCanvasSize(context.canvas, frame);
    context.fillStyle = cssColor(frame.background);
    context.fillRect(0, 0, width, height);
    const side = tileSide * pixelRatio;
    for (const { canvas, column, row } of this.tiles.values()) {
      context.drawImage(canvas, column * side, row * side - top * pixelRatio, side, side);
    }
    return false;
  }
}
