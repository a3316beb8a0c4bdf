// Draws with a plain canvas where the browser has no WebGL 2.
import type { DriverFormat } from '../gl/compressed-formats';
import type { MapImage, PixelBlock } from '../engine/protocol';
import { nextTask } from '../gl/upload';
import { setCanvasSize } from '../surface/canvas-size';
import { paneCount, paneViews, type Frame, type PictureRenderer } from './picture-renderer';
import { cssColor } from './theme-colors';

interface Shown {
  bitmap: ImageBitmap;
  pixels: PixelBlock;
}

interface ErrorBitmap {
  bitmap: ImageBitmap;
  gain: number;
}

async function shown(pixels: PixelBlock): Promise<Shown> {
  const data = new ImageData(new Uint8ClampedArray(pixels.data.buffer), pixels.width, pixels.height);
  return { bitmap: await createImageBitmap(data), pixels };
}

async function errorPixels(a: PixelBlock, b: PixelBlock, gain: number): Promise<PixelBlock> {
  const data = new Uint8Array(a.data.length);
  const pixelsAtOnce = 1 << 18;
  for (let i = 0; i < data.length; i += 4) {
    const alpha = Math.abs(a.data[i + 3]! - b.data[i + 3]!);
    for (let c = 0; c < 3; ++c) {
      data[i + c] = Math.min(255, (Math.abs(a.data[i + c]! - b.data[i + c]!) + alpha) * gain);
    }
    data[i + 3] = 255;
    if (i % (pixelsAtOnce * 4) === 0) await nextTask();
  }
  return { data, width: a.width, height: a.height };
}

export class CanvasRenderer implements PictureRenderer {
  private original: Shown | null = null;
  private result: Shown | null = null;
  private error: ErrorBitmap | null = null;
  private map: (Shown & { cellWidth: number; cellHeight: number }) | null = null;
  private makingError = false;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly onChange: () => void,
  ) {}

  async driverFormat(): Promise<DriverFormat | null> {
    return null;
  }

  async setOriginal(pixels: PixelBlock): Promise<void> {
    const original = await shown(pixels);
    this.clearResult();
    this.clearMap();
    this.original = original;
  }

  async setResultPixels(pixels: PixelBlock): Promise<void> {
    const result = await shown(pixels);
    this.clearResult();
    this.result = result;
  }

  setResultBlocks(): Promise<boolean> {
    return Promise.reject(new Error('A plain canvas does not draw compressed textures.'));
  }

  clearResult(): void {
    this.result = this.error = null;
  }

  async setMap(map: MapImage): Promise<void> {
    this.map = { ...(await shown(map.pixels)), cellWidth: map.cellWidth, cellHeight: map.cellHeight };
  }

  clearMap(): void {
    this.map = null;
  }

  async readResult(): Promise<PixelBlock> {
    if (!this.result) throw new Error('There is no result to read.');
    return this.result.pixels;
  }

  draw(frame: Frame): void {
    const { context, original } = this;
    const { width, height } = frame;
    setCanvasSize(context.canvas, frame);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = cssColor(frame.colors.background);
    context.fillRect(0, 0, width, height);
    if (!original) return;
    context.imageSmoothingEnabled = frame.scale * frame.pixelRatio < 1;
    const panes = paneCount(frame.view);
    const paneWidth = width / panes;
    if (frame.view === 'split') {
      const divider = frame.divider * width;
      this.drawPane(frame, 0, 0, divider, 0);
      this.drawPane(frame, 1, divider, width - divider, 0);
      return;
    }
    paneViews[frame.view].forEach((view, pane) => {
      this.drawPane(frame, view, pane * paneWidth, paneWidth, pane * paneWidth);
    });
  }

  private drawPane(frame: Frame, view: number, left: number, width: number, shift: number): void {
    const { context } = this;
    const { origin, scale, pixelRatio: ratio, colors } = frame;
    const picture = this.original!.bitmap;
    const x = shift + origin.x * ratio;
    const y = origin.y * ratio;
    const zoom = scale * ratio;
    context.save();
    context.beginPath();
    context.rect(left, 0, width, context.canvas.height);
    context.clip();
    context.fillStyle = cssColor(colors.checkers[0]);
    context.fillRect(x, y, picture.width * zoom, picture.height * zoom);
    const bitmap = this.bitmapOf(view, frame.gain);
    context.drawImage(bitmap, x, y, picture.width * zoom, picture.height * zoom);
    if (this.map && (view === 1 || frame.view === 'error')) {
      const { bitmap: map, cellWidth, cellHeight } = this.map;
      context.globalAlpha = frame.mapOpacity;
      context.drawImage(map, x, y, map.width * cellWidth * zoom, map.height * cellHeight * zoom);
    }
    context.restore();
  }

  private bitmapOf(view: number, gain: number): ImageBitmap {
    if (view === 0 || !this.result) return this.original!.bitmap;
    if (view === 1) return this.result.bitmap;
    if (this.error?.gain !== gain) void this.makeError(gain);
    return this.error?.bitmap ?? this.result.bitmap;
  }

  private async makeError(gain: number): Promise<void> {
    if (this.makingError || !this.original || !this.result) return;
    this.makingError = true;
    const { original, result } = this;
    try {
      const { bitmap } = await shown(await errorPixels(original.pixels, result.pixels, gain));
      if (this.result === result) this.error = { bitmap, gain };
    } finally {
      this.makingError = false;
    }
    this.onChange();
  }
}
