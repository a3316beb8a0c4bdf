// The panel's numbers.
import { byId, element } from '../ui/dom';
import { bytesText, countText, percentText } from '../ui/numbers';
import { tileSide } from './protocol';
import type { TileStatistics } from './tile-statistics';

const milliseconds = (seconds: number) => (Number.isNaN(seconds) ? '–' : `${(seconds * 1000).toFixed(2)} ms`);

function row(name: string, value: string, note: string): HTMLElement {
  return element('div', {}, element('dt', {}, name), element('dd', {}, value), element('dd', { class: 'note' }, note));
}

export class TilePanel {
  private readonly list = byId('tile-metrics', HTMLDListElement);

  /** `decodes`: textures hold plain pixels, as the driver cannot draw blocks. */
  show(statistics: TileStatistics, textures: number, bytesPerTile: number, decodes: boolean): void {
    const { encode, draw, tileCount, framesMissed, frameCount, memoryBytes } = statistics;
    const plain = textures * tileSide * tileSide * 4;
    const blocks = textures * bytesPerTile;
    const share = percentText(plain > 0 ? blocks / plain : 0);
    const comparison = decodes
      ? `${bytesText(plain)} are taken, as without compression; where the driver draws blocks it would be ${bytesText(blocks)}, ${share}`
      : `${bytesText(blocks)} instead of ${bytesText(plain)}, ${share}`;
    this.list.replaceChildren(
      row('Time to compress a tile', milliseconds(encode.quantile(0.5)), `19 of 20 within ${milliseconds(encode.quantile(0.95))}; drawing it took ${milliseconds(draw.quantile(0.5))}`),
      row('Memory saved', bytesText(decodes ? 0 : plain - blocks), comparison),
      row('Frames missed', countText(framesMissed), `of ${countText(frameCount)} while the map moved`),
      row('Tiles compressed', countText(tileCount), `${countText(textures)} textures are kept; the encoder works in ${bytesText(memoryBytes)}`),
    );
    this.list.dataset['tiles'] = String(tileCount);
    this.list.dataset['textures'] = String(textures);
    this.list.dataset['memory'] = String(memoryBytes);
  }
}
