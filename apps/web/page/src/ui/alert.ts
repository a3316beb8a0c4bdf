// The banner that tells what went wrong.
import { byId, handOverFocus } from './dom';

export class Alert {
  private readonly box = byId('alert', HTMLDivElement);
  private readonly text = byId('alert-text', HTMLParagraphElement);

  /** `next`: takes over the focus from the button that closes the banner. */
  constructor(private readonly next: HTMLElement) {
    byId('alert-close', HTMLButtonElement).addEventListener('click', () => this.clear());
  }

  show(sentence: string): void {
    this.text.textContent = sentence;
    this.box.hidden = false;
  }

  clear(): void {
    handOverFocus(this.box, this.next);
    this.box.hidden = true;
    this.text.textContent = '';
  }
}
