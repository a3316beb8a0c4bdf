// Draws quality against size: decibels over bits per pixel, which double from mark to mark.
import type { ChartPoint } from '../engine/protocol';
import { element, svgElement } from './dom';
import { decibelsText, shortText } from './numbers';

const size = { width: 296, height: 176 };
const margin = { left: 28, right: 10, top: 10, bottom: 30 };

interface Axis {
  low: number;
  high: number;
  marks: number[];
}

function bitsAxis(points: ChartPoint[]): Axis {
  const bits = points.map((point) => point.bitsPerPixel);
  const low = Math.floor(Math.log2(Math.min(...bits)) * 2 - 0.4) / 2;
  const high = Math.ceil(Math.log2(Math.max(...bits)) * 2 + 0.4) / 2;
  const marks = [];
  for (let mark = Math.ceil(low); mark <= high; ++mark) marks.push(mark);
  return { low, high, marks };
}

function decibelsAxis(points: ChartPoint[]): Axis {
  const values = points.map((point) => Math.min(point.psnrRgb, 100));
  const span = Math.max(...values) - Math.min(...values);
  const step = span > 16 ? 5 : span > 6 ? 2 : 1;
  const low = Math.floor((Math.min(...values) - 0.5) / step) * step;
  const high = Math.ceil((Math.max(...values) + 0.5) / step) * step;
  const marks = [];
  for (let mark = low; mark <= high; mark += step) marks.push(mark);
  return { low, high, marks };
}

export function drawChart(
  points: ChartPoint[],
  current: string,
  onChoose: (label: string) => void,
): SVGElement {
  const bits = bitsAxis(points);
  const decibels = decibelsAxis(points);
  const x = (log2: number) =>
    margin.left + ((log2 - bits.low) / (bits.high - bits.low)) * (size.width - margin.left - margin.right);
  const y = (db: number) =>
    size.height - margin.bottom -
    ((Math.min(db, 100) - decibels.low) / (decibels.high - decibels.low)) * (size.height - margin.top - margin.bottom); // prettier-ignore
  const chart = svgElement('svg', {
    viewBox: `0 0 ${size.width} ${size.height}`,
    role: 'group',
    'aria-label': 'PSNR in decibels over bits per pixel',
  });
  for (const mark of decibels.marks) {
    chart.append(
      svgElement('line', { class: 'rule', x1: margin.left, x2: size.width - margin.right, y1: y(mark), y2: y(mark) }),
      svgElement('text', { x: margin.left - 6, y: y(mark) + 3.5, 'text-anchor': 'end' }, String(mark)),
    );
  }
  for (const mark of bits.marks) {
    const label = mark >= 0 ? String(2 ** mark) : `1/${2 ** -mark}`;
    chart.append(svgElement('text', { x: x(mark), y: size.height - 16, 'text-anchor': 'middle' }, label));
  }
  const middle = (margin.left + size.width - margin.right) / 2;
  chart.append(
    svgElement('text', { x: middle, y: size.height - 2, 'text-anchor': 'middle' }, 'bits per pixel'),
    svgElement('text', { x: margin.left - 6, y: size.height - 2, 'text-anchor': 'end' }, 'dB'),
  );
  const sorted = [...points].sort((a, b) => a.bitsPerPixel - b.bitsPerPixel);
  const path = sorted.map((point) => `${x(Math.log2(point.bitsPerPixel))},${y(point.psnrRgb)}`).join(' ');
  chart.append(svgElement('polyline', { class: 'curve', points: path }));
  for (const point of sorted) {
    const [left, top] = [x(Math.log2(point.bitsPerPixel)), y(point.psnrRgb)];
    const isCurrent = point.label === current;
    chart.append(drawPoint(point, left, top, isCurrent, onChoose));
    if (!isCurrent) continue;
    // The point itself has this word in its name.
    chart.append(svgElement('text', { x: left - 8, y: top - 8, 'text-anchor': 'end', 'aria-hidden': 'true' }, point.label));
  }
  return chart;
}

function drawPoint(
  point: ChartPoint, x: number, y: number, isCurrent: boolean, onChoose: (label: string) => void,
): SVGElement {
  // prettier-ignore
  const { label, bitsPerPixel, psnrRgb } = point;
  const words = `${label}: ${decibelsText(psnrRgb)} dB at ${shortText(bitsPerPixel)} bits per pixel`;
  const made = svgElement(
    'g',
    {
      class: isCurrent ? 'point current' : 'point',
      tabindex: 0,
      role: 'button',
      'aria-label': words,
      'aria-pressed': String(isCurrent),
      'data-label': label,
    },
    svgElement('title', {}, words),
    svgElement('circle', { class: 'target', cx: x, cy: y, r: 9 }),
    svgElement('circle', { cx: x, cy: y, r: isCurrent ? 5.5 : 4 }),
  );
  made.addEventListener('click', () => onChoose(label));
  made.addEventListener('keydown', (event) => {
    const { key } = event as KeyboardEvent;
    if (key !== 'Enter' && key !== ' ') return;
    event.preventDefault();
    onChoose(label);
  });
  return made;
}

export function chartTable(points: ChartPoint[]): HTMLTableElement {
  const cells = (tag: 'th' | 'td', values: string[]) => values.map((value) => element(tag, {}, value));
  const head = element('tr', {}, element('td'), ...cells('th', ['bits per pixel', 'PSNR, dB', 'SSIM']));
  const rows = points.map(({ label, bitsPerPixel, psnrRgb, ssim }) => {
    const values = [shortText(bitsPerPixel), decibelsText(psnrRgb), ssim.toFixed(4)];
    return element('tr', {}, element('th', { scope: 'row' }, label), ...cells('td', values));
  });
  return element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
}
