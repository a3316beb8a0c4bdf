// The block under the pointer or the keyboard's cursor: marked in the viewer and explained.
import type { Engine } from './engine/engine';
import type { ExplainedBlock, ResultInfo } from './engine/protocol';
import { LatestOnly } from './latest-only';
import { BlockPanel } from './ui/block-panel';
import type { Rect } from './viewer/overlay';
import type { Viewer } from './viewer/viewer';
import type { Point } from './viewer/viewport';

interface Request extends Point {
  speak: boolean;
}

export class BlockCursor {
  private readonly panel = new BlockPanel();
  private result: ResultInfo | null = null;
  private readonly questions = new LatestOnly<Request>((request) => this.answer(request));

  constructor(
    private readonly engine: Engine,
    private readonly viewer: () => Viewer,
    private readonly onError: (error: unknown) => void,
  ) {}

  setResult(result: ResultInfo | null): void {
    this.result = result;
    this.questions.forget();
    this.panel.clear();
    this.viewer().setOverlay({ chosen: null, domain: null });
  }

  point(texel: Point | null): void {
    if (!texel) {
      // The last block stays explained, so that its text can be read and selected.
      this.viewer().setOverlay({ chosen: null, domain: null });
      return;
    }
    this.questions.ask({ ...texel, speak: false });
  }

  move(dx: number, dy: number): void {
    if (!this.result) return;
    const { width, height } = this.result;
    const chosen = this.viewer().chosen;
    const step = (low: number, length: number, by: number, most: number) => {
      const next = by > 0 ? low + length : by < 0 ? low - 1 : low + Math.floor(length / 2);
      return Math.min(Math.max(next, 0), most - 1);
    };
    const at = chosen
      ? { x: step(chosen.x, chosen.width, dx, width), y: step(chosen.y, chosen.height, dy, height) }
      : { x: Math.floor(width / 2), y: Math.floor(height / 2) };
    this.questions.ask({ ...at, speak: true });
  }

  /** Brings a block to the middle, large enough to see its texels. */
  goTo(rect: Rect): void {
    this.viewer().lookAt(rect);
    this.questions.ask({ x: rect.x, y: rect.y, speak: true });
  }

  private async answer({ x, y, speak }: Request): Promise<void> {
    const { result } = this;
    if (!result) return;
    try {
      const explanation = await this.engine.call('explain', { x, y });
      if (this.result === result) this.show(explanation, result, speak);
    } catch (error) {
      this.onError(error);
    }
  }

  private show(explanation: ExplainedBlock, result: ResultInfo, speak: boolean): void {
    const { rect, domain } = explanation;
    const viewer = this.viewer();
    viewer.setOverlay({ chosen: rect, domain: domain ?? null });
    if (speak) viewer.reveal(rect);
    const place =
      result.blockWidth > 0
        ? `Block ${rect.x / result.blockWidth}, ${rect.y / result.blockHeight}`
        : `Leaf of ${rect.width} × ${rect.height} at ${rect.x}, ${rect.y}`;
    this.panel.show(explanation, place, speak);
  }
}
