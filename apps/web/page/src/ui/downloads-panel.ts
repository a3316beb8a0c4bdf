// Files of the result.
import type { Container, Format } from 'tessera-wasm';
import { byId, element, handOverFocus, whileBusy } from './dom';

const containersOf: Record<Format, Container[]> = {
  astc: ['ktx2', 'astc'],
  bc1: ['dds', 'ktx2'],
  fractal: ['tsf'],
};

export class DownloadsPanel {
  private readonly row = byId('downloads', HTMLDivElement);

  private format: Format | null = null;
  private name = '';

  constructor(private readonly fileOf: (container: Container) => Promise<Uint8Array<ArrayBuffer> | null>) {
    this.clear();
  }

  show(format: Format, pictureName: string): void {
    this.name = pictureName.replace(/\.[^.]*$/, '') || 'picture';
    // The buttons of the same format stay, and with them the focus that one of them may have.
    if (format === this.format) return;
    this.format = format;
    this.fill(containersOf[format].map((container) => this.buttonFor(container)));
  }

  clear(): void {
    this.format = null;
    this.fill([element('p', { class: 'hint' }, 'There is no result yet.')]);
  }

  private fill(content: HTMLElement[]): void {
    handOverFocus(this.row, byId('viewer', HTMLDivElement));
    this.row.replaceChildren(...content);
  }

  private buttonFor(container: Container): HTMLButtonElement {
    const button = element('button', { type: 'button', 'data-container': container }, `.${container}`);
    button.addEventListener('click', () => void whileBusy(button, () => this.download(container)));
    return button;
  }

  private async download(container: Container): Promise<void> {
    const name = `${this.name}.${container}`;
    const bytes = await this.fileOf(container);
    if (!bytes) return;
    const address = URL.createObjectURL(new Blob([bytes]));
    element('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}
