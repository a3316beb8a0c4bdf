// One block in words and numbers.
import { categoryColors } from '../engine/map-colors';
import type { ExplainedBlock, PixelBlock } from '../engine/protocol';
import { byId, element } from './dom';
import { decibelsText } from './numbers';

type Rgba = [number, number, number, number];

const css = ([r, g, b, a]: Rgba) => `rgb(${r} ${g} ${b} / ${(a / 255).toFixed(3)})`;
const text = (color: Rgba) => color.join(' ');

function ramp({ low, high }: { low: Rgba; high: Rgba }, index: number, count: number): HTMLElement {
  const strip = element('div', { class: 'ramp' });
  strip.style.background = `linear-gradient(90deg, ${css(low)}, ${css(high)})`;
  const title = count > 1 ? `Partition ${index + 1}: ` : '';
  return element('li', {}, strip, `${title}${text(low)} → ${text(high)}`);
}

function texelGrid({ texels, rect }: ExplainedBlock): HTMLElement {
  const grid = element('div', { class: 'texel-grid', 'aria-hidden': 'true' });
  grid.style.gridTemplateColumns = `repeat(${rect.width}, 1fr)`;
  for (const part of texels) {
    const cell = element('i');
    const [r, g, b] = categoryColors[part % categoryColors.length]!;
    cell.style.background = `rgb(${r} ${g} ${b})`;
    grid.append(cell);
  }
  return grid;
}

/** Weights of texels, 0 to 64, from black to white. */
function weightGrid(weights: Uint8Array, { rect }: ExplainedBlock): HTMLElement {
  const grid = element('div', { class: 'texel-grid', 'aria-hidden': 'true' });
  grid.style.gridTemplateColumns = `repeat(${rect.width}, 1fr)`;
  for (const weight of weights) {
    const cell = element('i', { title: `${weight} of 64` });
    const grey = Math.round((weight * 255) / 64);
    cell.style.background = `rgb(${grey} ${grey} ${grey})`;
    grid.append(cell);
  }
  return grid;
}

function enlarged({ data, width, height }: PixelBlock, name: string): HTMLElement {
  const canvas = element('canvas', { width: String(width), height: String(height) });
  canvas.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return element('figure', {}, canvas, element('figcaption', {}, name));
}

export class BlockPanel {
  private readonly body = byId('block', HTMLDivElement);
  private readonly title = byId('block-title', HTMLHeadingElement);
  private readonly spoken = byId('block-spoken', HTMLParagraphElement);

  /** `speak`: screen readers are told, too; not while a mouse runs over hundreds of blocks. */
  show(explanation: ExplainedBlock, place: string, speak: boolean): void {
    const { sentences, facts, endpoints, texels } = explanation;
    const words = element('div', { class: 'words' }, ...sentences.map((sentence) => element('p', {}, sentence)));
    if (endpoints.length > 0) {
      const pairs = endpoints.map((pair, i) => ramp(pair, i, endpoints.length));
      words.append(element('ul', { class: 'endpoint-pairs', 'aria-label': 'Endpoints: red green blue alpha' }, ...pairs));
    }
    const pictures = element('div', { class: 'block-pictures', 'aria-hidden': 'true' });
    pictures.append(enlarged(explanation.original, 'Original'), enlarged(explanation.result, 'Result'));
    if (new Set(texels).size > 1) {
      const name = endpoints.length > 1 ? 'Partitions' : 'Indices';
      pictures.append(element('figure', {}, texelGrid(explanation), element('figcaption', {}, name)));
    }
    for (const [weights, name] of [
      [explanation.weights, 'Weights'],
      [explanation.secondWeights, 'Second plane'],
    ] as const) {
      if (weights.length === 0) continue;
      pictures.append(element('figure', {}, weightGrid(weights, explanation), element('figcaption', {}, name)));
    }
    const error =
      explanation.maxError === 0
        ? 'The block is exactly the original.'
        : `The block is ${decibelsText(explanation.psnrRgb)} dB away from the original, ${explanation.maxError} of 255 at most.`;
    words.append(element('p', {}, error));
    const rows = facts.flatMap(({ name, value }) => [element('dt', {}, name), element('dd', {}, value)]);
    this.body.replaceChildren(
      element('div', { class: 'block-body' }, pictures, words, element('dl', { class: 'facts' }, ...rows)),
    );
    this.title.textContent = place;
    if (speak) this.spoken.textContent = `${place}. ${sentences.join(' ')} ${error}`;
  }

  clear(): void {
    this.title.textContent = 'Block under the pointer';
    this.spoken.textContent = '';
    const hint = 'Point at the picture, or focus it and use the arrow keys.';
    this.body.replaceChildren(element('p', { class: 'hint' }, hint));
  }
}
