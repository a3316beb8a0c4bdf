// Which map is laid over the result, and what its colours mean.
import type { Format } from 'tessera-wasm';
import type { MapImage, MapKind } from '../engine/protocol';
import { byId, element } from './dom';
import { percentText } from './numbers';

const mapsOf: Record<Format, Array<[MapKind, string]>> = {
  astc: [
    ['error', 'Error of blocks'],
    ['partitions', 'Partitions'],
    ['planes', 'Planes'],
    ['endpoints', 'Endpoint modes'],
    ['grid', 'Weight grids'],
  ],
  bc1: [
    ['error', 'Error of blocks'],
    ['colors', 'Colour modes'],
    ['contrast', 'Contrast of endpoints'],
  ],
  fractal: [
    ['error', 'Error, 8 × 8 pixels'],
    ['leaves', 'Kinds of leaves'],
  ],
};

export class MapPanel {
  private readonly select = byId('map', HTMLSelectElement);
  private readonly card = byId('legend-card', HTMLElement);
  private format: Format | null = null;

  constructor(onChange: () => void) {
    this.select.addEventListener('change', onChange);
    this.offer('astc');
  }

  get kind(): MapKind | null {
    return this.select.value === '' ? null : (this.select.value as MapKind);
  }

  /** The maps of a format; a map that it shares with the last one stays chosen. */
  offer(format: Format): void {
    if (format === this.format) return;
    this.format = format;
    const before = this.select.value;
    const options = mapsOf[format].map(([kind, name]) => element('option', { value: kind }, name));
    this.select.replaceChildren(element('option', { value: '' }, 'None'), ...options);
    this.select.value = mapsOf[format].some(([kind]) => kind === before) ? before : '';
  }

  showLegend(map: MapImage | null): void {
    this.card.hidden = map === null;
    if (!map) return;
    byId('legend-title', HTMLHeadingElement).textContent = this.select.selectedOptions[0]!.text;
    byId('legend-caption', HTMLParagraphElement).textContent = map.caption;
    byId('legend', HTMLUListElement).replaceChildren(
      ...map.legend.map(({ color, label, share }) => {
        const swatch = element('i');
        swatch.style.background = color;
        const row = element('li', {}, swatch, element('span', {}, label));
        if (share !== null) row.append(element('b', {}, percentText(share)));
        return row;
      }),
    );
  }
}
