// Quality, size and speed of the result.
import type { Quality, ResultInfo } from '../engine/protocol';
import { byId, element } from './dom';
import { bytesText, decibelsText, percentText, secondsText, shortText } from './numbers';

function metric(name: string, value: string, unit: string, note = ''): HTMLElement {
  const parts = [element('dt', {}, name), element('dd', {}, value, element('small', {}, unit ? ` ${unit}` : ''))];
  if (note) parts.push(element('dd', { class: 'note' }, note));
  return element('div', {}, ...parts);
}

function memory(result: ResultInfo): HTMLElement {
  const plain = result.width * result.height * 4;
  const share = result.payloadBytes / plain;
  const fill = element('span');
  fill.style.width = `${Math.min(100, share * 100)}%`;
  const made = metric('Memory', bytesText(result.payloadBytes), `of ${bytesText(plain)} as RGBA8`);
  made.classList.add('wide-metric');
  const saved = `${percentText(share)} · 1/${shortText(1 / share)} of the size`;
  made.append(element('dd', { class: 'note' }, saved, element('div', { class: 'memory-bar' }, fill)));
  return made;
}

export class MetricsPanel {
  private readonly list = byId('metrics', HTMLDListElement);

  show(result: ResultInfo, hasAlpha: boolean, quality: Quality = result.quality): void {
    const largest = `largest error ${Math.round(quality.maxError)}`;
    const note = hasAlpha ? `${decibelsText(quality.psnrRgba)} dB with alpha` : largest;
    this.list.replaceChildren(
      metric('PSNR', decibelsText(quality.psnrRgb), Number.isFinite(quality.psnrRgb) ? 'dB' : '', note),
      metric('SSIM', quality.ssim.toFixed(4), '', '1 is the original'),
      metric('Size', shortText(result.bitsPerPixel), 'bits/pixel', `${bytesText(result.payloadBytes)} in all`),
      metric('Speed', shortText(result.megapixelsPerSecond), 'MP/s', `done in ${secondsText(result.seconds)}`),
      memory(result),
    );
  }

  clear(): void {
    const names = ['PSNR', 'SSIM', 'Size', 'Speed'];
    const empty = metric('Memory', '–', '', ' ');
    empty.classList.add('wide-metric');
    this.list.replaceChildren(...names.map((name) => metric(name, '–', '', ' ')), empty);
  }
}
