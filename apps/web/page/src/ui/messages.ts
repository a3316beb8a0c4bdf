// What the page says: how work goes on, and what went wrong.
import { Alert } from './alert';
import { byId, handOverFocus } from './dom';

export class Messages {
  private readonly status = byId('status', HTMLParagraphElement);
  private readonly progress = byId('progress', HTMLProgressElement);
  private readonly cancel = byId('cancel', HTMLButtonElement);
  private readonly viewer = byId('viewer', HTMLDivElement);
  private readonly alert = new Alert(this.viewer);

  constructor(onCancel: () => void) {
    this.cancel.addEventListener('click', onCancel);
  }

  say(sentence: string): void {
    this.status.textContent = sentence;
  }

  /** Shows progress and the button that cancels; null: nothing is running. */
  working(fraction: number | null): void {
    const running = fraction !== null;
    if (!running) handOverFocus(this.cancel, this.viewer);
    this.progress.hidden = this.cancel.hidden = !running;
    this.progress.value = fraction ?? 0;
  }

  problem(sentence: string): void {
    this.alert.show(sentence);
  }

  clearProblem(): void {
    this.alert.clear();
  }
}
