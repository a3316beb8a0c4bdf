// What the panel shows: times of the last tiles, memory, frames that were missed.

import type { Tile } from './protocol';

const kept = 256;

/** The last values, in place of the oldest ones. */
class RecentValues {
  private readonly values = new Float64Array(kept);
  private count = 0;

  add(value: number): void {
    this.values[this.count++ % kept] = value;
  }

  /** `part` 0.5 is the median; NaN where there is nothing yet. */
  quantile(part: number): number {
    const sorted = this.values.slice(0, Math.min(this.count, kept)).sort();
    return sorted.length > 0 ? sorted[Math.floor(part * (sorted.length - 1))]! : NaN;
  }
}

export class TileStatistics {
  readonly encode = new RecentValues();
  readonly draw = new RecentValues();
  tileCount = 0;
  memoryBytes = 0;
  framesMissed = 0;
  frameCount = 0;
  private readonly periods = new RecentValues();
  /** 0: nothing moved. */
  private lastFrame = 0;
  private isCounting = false;

  addTile({ drawSeconds, encodeSeconds, memoryBytes }: Tile): void {
    ++this.tileCount;
    this.memoryBytes = memoryBytes;
    this.draw.add(drawSeconds);
    this.encode.add(encodeSeconds);
  }

  /** Frames of the screen count while tiles move; `now` is the frame's time in milliseconds. */
  addFrame(now: number, moving: boolean): void {
    const { lastFrame } = this;
    this.lastFrame = moving ? now : 0;
    // The first frame of a movement has none before it.
    this.isCounting = lastFrame !== 0 && moving;
    if (!this.isCounting) return;
    const period = now - lastFrame;
    this.periods.add(period);
    // The screen's own period is what most frames take.
    const usual = this.periods.quantile(0.5);
    const screenFrames = Math.max(1, Math.round(period / usual));
    this.frameCount += screenFrames;
    this.framesMissed += screenFrames - 1;
  }

  /** The renderer was still busy with the frame before when the next one came. */
  addUnseenFrame(): void {
    if (this.isCounting) ++this.framesMissed;
  }
}
