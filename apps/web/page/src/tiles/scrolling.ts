// Endless scrolling, upwards and downwards: a very tall page whose scroll position is set back to its
// middle, together with the number of its first row, before one of its ends is reached.
import { byId } from '../ui/dom';
import { tileSide } from './protocol';

/** Browsers limit the height of elements; this is far below what they allow. */
const rowsInPage = 20_000;
const middleRow = rowsInPage / 2;
/** So near to an end the position is set back. */
const marginRows = 2000;

export class Scrolling {
  readonly view = byId('tiles-view', HTMLDivElement);
  private baseRow = -middleRow;
  private lastTop = 0;
  private lastTime = 0;
  private exactTop = 0;
  private speed = 0;

  constructor() {
    byId('tiles-spacer', HTMLDivElement).style.height = `${rowsInPage * tileSide}px`;
    this.view.scrollTop = middleRow * tileSide;
    this.exactTop = this.lastTop = this.view.scrollTop;
  }

  /** CSS pixels a second; 0: only the reader scrolls. */
  setSpeed(speed: number): void {
    // The time in which nothing moved is not made up for.
    if (this.speed === 0) this.lastTime = performance.now();
    this.speed = speed;
  }

  get movesByItself(): boolean {
    return this.speed > 0;
  }

  /** Moves on by itself where asked to. Returns whether the map has moved since the last frame. */
  advance(now: number): boolean {
    const seconds = Math.min(Math.max(now - this.lastTime, 0) / 1000, 0.1);
    this.lastTime = now;
    if (this.speed > 0) {
      if (Math.abs(this.exactTop - this.view.scrollTop) > 2) this.exactTop = this.view.scrollTop;
      this.exactTop += this.speed * seconds;
      this.view.scrollTop = this.exactTop;
    }
    this.setBack();
    const moved = this.view.scrollTop !== this.lastTop;
    this.lastTop = this.view.scrollTop;
    return moved;
  }

  private setBack(): void {
    const row = Math.floor(this.view.scrollTop / tileSide);
    if (row >= marginRows && row <= rowsInPage - marginRows) return;
    const rows = row - middleRow;
    this.view.scrollTop -= rows * tileSide;
    this.exactTop = this.view.scrollTop;
    this.lastTop -= rows * tileSide;
    this.baseRow += rows;
  }

  /** Of the map, in pixels from its first row. */
  get top(): number {
    return this.baseRow * tileSide + this.view.scrollTop;
  }
}
