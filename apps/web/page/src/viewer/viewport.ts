// Where the picture lies in a pane and how large it is; all panes share it. Lengths are CSS pixels.

export interface Point {
  x: number;
  y: number;
}

export const views = ['split', 'panes', 'original', 'result', 'error'] as const;
export type View = (typeof views)[number];

const maxScale = 96;
/** How much of the picture stays in sight, whatever is dragged. */
const leastInSight = 48;

export class Viewport {
  scale = 1;
  origin: Point = { x: 0, y: 0 };
  private pane = { width: 1, height: 1 };
  private picture = { width: 1, height: 1 };
  private fitted = true;

  get isFitted(): boolean {
    return this.fitted;
  }

  setPicture(width: number, height: number): void {
    this.picture = { width, height };
    this.fit();
  }

  /** A fitted picture stays fitted when the pane changes. */
  setPane(width: number, height: number): void {
    this.pane = { width: Math.max(1, width), height: Math.max(1, height) };
    if (this.fitted) this.fit();
    else this.keepInSight();
  }

  fit(): void {
    this.scale = this.fitScale();
    this.center();
    this.fitted = true;
  }

  /** One texel to one pixel of the screen. */
  actualSize(pixelRatio: number): void {
    const middle = { x: this.pane.width / 2, y: this.pane.height / 2 };
    this.zoomAt(middle, 1 / pixelRatio / this.scale);
  }

  zoomAt(at: Point, factor: number): void {
    const least = Math.min(this.fitScale(), 1) / 2;
    const scale = Math.min(Math.max(this.scale * factor, least), maxScale);
    const part = scale / this.scale;
    this.origin = { x: at.x - (at.x - this.origin.x) * part, y: at.y - (at.y - this.origin.y) * part };
    this.scale = scale;
    this.fitted = false;
    this.keepInSight();
  }

  zoomAtMiddle(factor: number): void {
    this.zoomAt({ x: this.pane.width / 2, y: this.pane.height / 2 }, factor);
  }

  panBy(dx: number, dy: number): void {
    this.origin = { x: this.origin.x + dx, y: this.origin.y + dy };
    this.fitted = false;
    this.keepInSight();
  }

  /** The texel under a point of the pane, or null outside the picture. */
  texelAt(point: Point): Point | null {
    const x = Math.floor((point.x - this.origin.x) / this.scale);
    const y = Math.floor((point.y - this.origin.y) / this.scale);
    const inside = x >= 0 && y >= 0 && x < this.picture.width && y < this.picture.height;
    return inside ? { x, y } : null;
  }

  /** Pans as little as needed to see a rectangle of texels. */
  reveal(rect: { x: number; y: number; width: number; height: number }): void {
    const shift = (low: number, length: number, room: number) =>
      low < 0 ? -low : low + length > room ? room - low - length : 0;
    const left = this.origin.x + rect.x * this.scale;
    const top = this.origin.y + rect.y * this.scale;
    const dx = shift(left, rect.width * this.scale, this.pane.width);
    const dy = shift(top, rect.height * this.scale, this.pane.height);
    if (dx !== 0 || dy !== 0) this.panBy(dx, dy);
  }

  /** A rectangle of texels with some blocks around it, at `part` of the pane's width. */
  lookAt(rect: { x: number; y: number; width: number; height: number }, part: number): void {
    this.scale = Math.min(Math.min(this.pane.width, this.pane.height) / (rect.height * 7), maxScale);
    this.origin = {
      x: this.pane.width * part - (rect.x + rect.width / 2) * this.scale,
      y: this.pane.height / 2 - (rect.y + rect.height / 2) * this.scale,
    };
    this.fitted = false;
  }

  private fitScale(): number {
    return Math.min(this.pane.width / this.picture.width, this.pane.height / this.picture.height, maxScale);
  }

  private center(): void {
    this.origin = {
      x: (this.pane.width - this.picture.width * this.scale) / 2,
      y: (this.pane.height - this.picture.height * this.scale) / 2,
    };
  }

  private keepInSight(): void {
    const limit = (origin: number, length: number, room: number) => {
      const seen = Math.min(leastInSight, length);
      return Math.min(Math.max(origin, seen - length), room - seen);
    };
    this.origin = {
      x: limit(this.origin.x, this.picture.width * this.scale, this.pane.width),
      y: limit(this.origin.y, this.picture.height * this.scale, this.pane.height),
    };
  }
}
