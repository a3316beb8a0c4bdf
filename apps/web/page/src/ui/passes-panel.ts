// The fractal decoder's passes, one by one.
import type { Quality } from '../engine/protocol';
import { byId } from './dom';
import { decibelsText } from './numbers';

const secondsAPass = 0.9;

export class PassesPanel {
  private readonly card = byId('passes', HTMLDivElement);
  private readonly slider = byId('pass', HTMLInputElement);
  private readonly play = byId('pass-play', HTMLButtonElement);
  private readonly text = byId('pass-text', HTMLParagraphElement);
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly onPass: (passes: number) => void) {
    this.slider.addEventListener('input', () => this.choose(Number(this.slider.value)));
    byId('pass-less', HTMLButtonElement).addEventListener('click', () => this.choose(this.passes - 1));
    byId('pass-more', HTMLButtonElement).addEventListener('click', () => this.choose(this.passes + 1));
    this.play.addEventListener('click', () => (this.timer === undefined ? this.start() : this.stop()));
  }

  get passes(): number {
    return Number(this.slider.value);
  }

  /** 0: the format has none. */
  offer(passes: number, quality: Quality): void {
    this.stop();
    this.card.hidden = passes === 0;
    this.slider.max = String(passes);
    this.slider.value = String(passes);
    this.tell(quality);
  }

  tell(quality: Quality): void {
    const { passes } = this;
    const what =
      passes === 0
        ? 'Before the first pass: each leaf shows its mean'
        : `After ${passes} of ${this.slider.max} ${passes === 1 ? 'pass' : 'passes'}`;
    this.text.textContent = `${what}, ${decibelsText(quality.psnrRgb)} dB.`;
  }

  private choose(passes: number): void {
    const most = Number(this.slider.max);
    this.slider.value = String(Math.min(Math.max(passes, 0), most));
    this.onPass(this.passes);
  }

  private start(): void {
    this.play.textContent = 'Stop';
    this.choose(0);
    this.timer = setInterval(() => {
      if (this.passes >= Number(this.slider.max)) this.stop();
      else this.choose(this.passes + 1);
    }, secondsAPass * 1000);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.play.textContent = 'Play';
  }
}
