// The chart of this picture, computed in the background after the result, and given up when another
// picture or other settings come, or the button says so.
import type { ChartPoint, Settings } from '../engine/protocol';
import { astcBlocks } from '../gl/compressed-formats';
import { isAbort, sentenceOf } from '../rpc';
import { chartTable, drawChart } from './chart';
import { byId } from './dom';
import { bitsPerPixelOf, secondsText } from './numbers';

/** Charts that take longer wait for the button. */
const longestUnasked = 60;
const fractalQualities = [10, 25, 40, 55, 70, 85];

export interface ChartActions {
  point(settings: Settings, signal: AbortSignal): Promise<ChartPoint>;
  choose(change: { block?: string; quality?: number }): void;
}

export class ChartPanel {
  private readonly place = byId('chart', HTMLDivElement);
  private readonly table = byId('chart-table', HTMLDivElement);
  private readonly status = byId('chart-status', HTMLSpanElement);
  /** Apart from the status, which screen readers speak: it changes with every point. */
  private readonly count = byId('chart-count', HTMLSpanElement);
  private readonly button = byId('chart-button', HTMLButtonElement);
  private settings: Settings | null = null;
  private points: ChartPoint[] = [];
  private drawnFor = '';
  private running: AbortController | null = null;
  private isPaused = false;

  constructor(private readonly actions: ChartActions) {
    this.button.addEventListener('click', () => {
      if (this.running) this.stop('The chart was stopped.');
      else void this.compute();
    });
  }

  /** A result is there: the chart follows unless it would take long. `secondsForOne` is what one
   *  encode took. */
  offer(settings: Settings, pictureNumber: number, secondsForOne: number): void {
    this.settings = settings;
    const key = JSON.stringify([pictureNumber, settings.format, settings.preset, settings.profile,
      settings.preset || settings.format === 'fractal' ? null : settings.quality]); // prettier-ignore
    this.button.disabled = settings.format === 'bc1';
    if (key === this.drawnFor) {
      this.draw();
      return this.resume();
    }
    this.stop('');
    this.drawnFor = key;
    this.points = [];
    this.draw();
    if (settings.format === 'bc1') {
      this.status.textContent = 'BC1 has one block size, 4 × 4, at 4 bits per pixel.';
      return;
    }
    const expected = secondsForOne * this.jobs().length * 2;
    if (expected <= longestUnasked) void this.compute();
    else this.status.textContent = `All ${this.jobs().length} points would take about ${secondsText(expected)}.`;
  }

  stop(sentence: string): void {
    this.running?.abort();
    this.running = null;
    this.isPaused = false;
    this.button.textContent = 'Compute';
    this.count.textContent = '';
    this.status.textContent = sentence;
  }

  /** The result is gone, and with it what the chart was drawn for. */
  forget(): void {
    this.stop('');
    this.drawnFor = '';
  }

  /** Until `resume` or the next offer, which goes on with the next point. */
  pause(): void {
    if (!this.running) return;
    this.stop('');
    this.isPaused = true;
  }

  resume(): void {
    if (this.isPaused) void this.compute();
  }

  private jobs(): Settings[] {
    const settings = this.settings!;
    return settings.format === 'fractal'
      ? fractalQualities.map((quality) => ({ ...settings, quality }))
      : [...astcBlocks].sort((a, b) => bitsPerPixelOf(b) - bitsPerPixelOf(a)).map((block) => ({ ...settings, block }));
  }

  /** Points that are there already stay. */
  private async compute(): Promise<void> {
    if (!this.settings) return;
    const running = (this.running = new AbortController());
    this.isPaused = false;
    this.button.textContent = 'Stop';
    this.status.textContent = 'The chart is being computed.';
    const jobs = this.jobs();
    if (this.points.length === jobs.length) this.points = [];
    try {
      while (this.points.length < jobs.length) {
        this.count.textContent = ` ${this.points.length + 1} of ${jobs.length}…`;
        const point = await this.actions.point(jobs[this.points.length]!, running.signal);
        if (this.running !== running) return;
        this.points.push(point);
        this.draw();
      }
      this.stop('The chart is complete.');
    } catch (error) {
      if (this.running === running) this.stop(isAbort(error) ? '' : sentenceOf(error));
    }
  }

  private draw(): void {
    const { points, settings } = this;
    const current = settings?.format === 'fractal' ? `quality ${settings.quality}` : (settings?.block ?? '');
    const chart = points.length > 1 ? drawChart(points, current, (label) => this.choose(label)) : null;
    this.replaceChart(chart);
    this.table.replaceChildren(chartTable(points));
  }

  /** The point that has the focus keeps it, as far as the chart still has it. */
  private replaceChart(chart: SVGElement | null): void {
    const focused = document.activeElement;
    const hadFocus = this.place.contains(focused);
    this.place.replaceChildren(...(chart ? [chart] : []));
    if (!hadFocus) return;
    const points = [...this.place.querySelectorAll<SVGElement>('.point')];
    const label = focused!.getAttribute('data-label');
    const next = points.find((point) => point.dataset['label'] === label) ?? points.find((point) => point.matches('.current'));
    (next ?? (this.button.disabled ? byId('viewer', HTMLDivElement) : this.button)).focus();
  }

  private choose(label: string): void {
    if (this.settings?.format === 'fractal') this.actions.choose({ quality: Number(label.replace('quality ', '')) });
    else this.actions.choose({ block: label });
  }
}
