// Files of the result.
import type { Container, Format } from 'tessera-wasm';
import { byId, element } from './dom';

const containersOf: Record<Format, Container[]> = {
  astc: ['ktx2', 'astc'],
  bc1: ['dds', 'ktx2'],
  fractal: ['tsf'],
};

export class DownloadsPanel {
  private readonly row = byId('downloads', HTMLDivElement);

  constructor(private readonly fileOf: (container: Container) => Promise<Uint8Array<ArrayBuffer> | null>) {
    this.clear();
  }

  show(format: Format, pictureName: string): void {
    const name = pictureName.replace(/\.[^.]*$/, '') || 'picture';
    this.row.replaceChildren(
      ...containersOf[format].map((container) => {
        const button = element('button', { type: 'button', 'data-container': container }, `.${container}`);
        button.addEventListener('click', () => void this.download(button, container, `${name}.${container}`));
        return button;
      }),
    );
  }

  clear(): void {
    this.row.replaceChildren(element('p', { class: 'hint' }, 'There is no result yet.'));
  }

  private async download(button: HTMLButtonElement, container: Container, name: string): Promise<void> {
    button.disabled = true;
    try {
      const bytes = await this.fileOf(container);
      if (!bytes) return;
      const address = URL.createObjectURL(new Blob([bytes]));
      element('a', { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } finally {
      button.disabled = false;
    }
  }
}
