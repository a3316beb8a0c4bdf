// Brings picture, result and map from the engine to the renderer, and says how the result is drawn.
import type { Engine } from './engine/engine';
import type { MapImage, MapKind, Quality, ResultInfo } from './engine/protocol';
import { byId, handOverFocus, whileBusy } from './ui/dom';
import { bytesText, countText } from './ui/numbers';
import type { BlockTexture, PictureRenderer } from './viewer/picture-renderer';

const formatNames = { astc: 'ASTC', bc1: 'BC1', fractal: 'fractal' };

function reasonToDecode(format: ResultInfo['format'], wasRefused: boolean): string {
  if (format === 'fractal') return 'Graphics drivers know no fractal images: this one was decoded in WebAssembly.';
  const reason = wasRefused
    ? `has refused this ${formatNames[format]} texture`
    : `cannot draw ${formatNames[format]}`;
  return `The graphics driver here ${reason}: the result was decoded in WebAssembly.`;
}

export class ResultDisplay {
  renderer: PictureRenderer | null = null;
  private readonly drawing = byId('drawing', HTMLSpanElement);
  private readonly checkButton = byId('check-driver', HTMLButtonElement);
  private readonly checkAnswer = byId('check-answer', HTMLSpanElement);

  constructor(
    private readonly engine: Engine,
    private readonly onError: (error: unknown) => void,
  ) {
    this.checkButton.addEventListener('click', () => void whileBusy(this.checkButton, () => this.check()));
  }

  get surface(): PictureRenderer {
    if (!this.renderer) throw new Error('There is nothing to draw on yet.');
    return this.renderer;
  }

  async showOriginal(): Promise<void> {
    await this.surface.setOriginal(await this.engine.call('sourcePixels', null));
    this.clearResult();
  }

  clearResult(): void {
    this.renderer?.clearResult();
    this.renderer?.clearMap();
    this.tell('none', '');
  }

  /** Draws the result from its blocks where the driver can, else from decoded pixels. */
  async showResult(result: ResultInfo): Promise<void> {
    const { format, width, height } = result;
    const kind = {
      format,
      block: `${result.blockWidth}x${result.blockHeight}`,
      srgb: result.profile === 'srgb',
    };
    const driver = format === 'fractal' ? null : await this.surface.driverFormat(kind);
    if (driver) {
      const blocks = await this.engine.call('resultBlocks', null);
      const texture: BlockTexture = { ...kind, blocks, width, height };
      if (await this.surface.setResultBlocks(texture, driver)) {
        const size = bytesText(result.payloadBytes);
        this.tell('driver', `Drawn by the graphics driver from ${size} of blocks (${driver.extension}).`);
        return;
      }
    }
    await this.surface.setResultPixels(await this.engine.call('resultPixels', null));
    this.tell('decoded', reasonToDecode(format, driver !== null));
  }

  /** Null, and nothing is drawn, where the pass is no longer wanted when it arrives. */
  async showPass(passes: number, isWanted: () => boolean): Promise<Quality | null> {
    const { pixels, quality } = await this.engine.call('passPixels', passes);
    if (!isWanted()) return null;
    await this.surface.setResultPixels(pixels);
    return quality;
  }

  /** As `showPass`; null without a kind, too. */
  async showMap(kind: MapKind | null, isWanted: () => boolean): Promise<MapImage | null> {
    if (!kind) {
      this.surface.clearMap();
      return null;
    }
    const map = await this.engine.call('map', kind);
    if (!isWanted()) return null;
    await this.surface.setMap(map);
    return map;
  }

  private tell(how: 'driver' | 'decoded' | 'none', sentence: string): void {
    this.drawing.dataset['how'] = how;
    this.drawing.textContent = sentence;
    if (how !== 'driver') handOverFocus(this.checkButton, byId('viewer', HTMLDivElement));
    this.checkButton.hidden = how !== 'driver';
    this.checkAnswer.textContent = '';
  }

  /** Reads back what the driver draws and compares it with what the library decodes. */
  private async check(): Promise<void> {
    try {
      const drawn = await this.surface.readResult();
      const { texels, differing, largest } = await this.engine.call('difference', drawn, {}, [
        drawn.data.buffer,
      ]);
      this.checkAnswer.dataset['largest'] = String(largest);
      this.checkAnswer.textContent =
        differing === 0
          ? `All ${countText(texels)} texels are equal.`
          : `${countText(differing)} of ${countText(texels)} texels differ, by ${largest} of 255 at most.`;
    } catch (error) {
      this.onError(error);
    }
  }
}
