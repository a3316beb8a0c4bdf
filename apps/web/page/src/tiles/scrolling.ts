// Endless scrolling: a very tall page whose scroll position is set back, together with the number of
// its first row, before its end is reached.
import { byId } from '../ui/dom';
import { tileSide } from './protocol';

/** Browsers limit the height of elements; this is far below what they allow. */
const rowsInPage = 20_000;
const rowsBack = 15_000;

export class Scrolling {
  readonly view = byId('tiles-view', HTMLDivElement);
  private baseRow = 0;
  private lastTop = 0;
  private lastTime = 0;
  private exactTop = 0;
  /** CSS pixels a second; 0: only the reader scrolls. */
  speed = 0;

  constructor() {
    byId('tiles-spacer', HTMLDivElement).style.height = `${rowsInPage * tileSide}px`;
  }

  /** Moves on by itself where asked to. Returns whether the map has moved since the last frame. */
  advance(now: number): boolean {
    const seconds = Math.min((now - this.lastTime) / 1000, 0.1);
    this.lastTime = now;
    if (this.speed > 0) {
      if (Math.abs(this.exactTop - this.view.scrollTop) > 2) this.exactTop = this.view.scrollTop;
      this.exactTop += this.speed * seconds;
      this.view.scrollTop = this.exactTop;
    }
    if (this.view.scrollTop > (rowsInPage - 2000) * tileSide) {
      this.view.scrollTop -= rowsBack * tileSide;
      this.exactTop = this.view.scrollTop;
      this.baseRow += rowsBack;
      this.lastTop -= rowsBack * tileSide;
    }
    const moved = this.view.scrollTop !== this.lastTop;
    this.lastTop = this.view.scrollTop;
    return moved;
  }

  /** Of the map, in pixels from its first row. */
  get top(): number {
    return this.baseRow * tileSide + this.view.scrollTop;
  }
}
