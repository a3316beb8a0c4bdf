// The banner that tells what went wrong.
import { byId } from './dom';

export class Alert {
  private readonly box = byId('alert', HTMLDivElement);
  private readonly text = byId('alert-text', HTMLParagraphElement);

  constructor() {
    byId('alert-close', HTMLButtonElement).addEventListener('click', () => this.clear());
  }

  show(sentence: string): void {
    this.text.textContent = sentence;
    this.box.hidden = false;
  }

  clear(): void {
    this.box.hidden = true;
    this.text.textContent = '';
  }
}
