// Where pictures come from: a file, a drop, the clipboard, or a sample of the library.
import type { SampleKind } from 'tessera-wasm';
import type { PictureInfo, PictureSource } from '../engine/protocol';
import { byId, element } from './dom';
import { countText } from './numbers';

export const samples: Array<{ kind: SampleKind; label: string; width: number; height: number }> = [
  { kind: 'photo', label: 'Photo', width: 768, height: 512 },
  { kind: 'interface', label: 'Interface', width: 768, height: 512 },
  { kind: 'sprite', label: 'Sprite', width: 512, height: 512 },
  { kind: 'normal-map', label: 'Normal map', width: 512, height: 512 },
  { kind: 'noise', label: 'Noise', width: 256, height: 256 },
];

export function sampleSource(kind: SampleKind): PictureSource {
  const { width, height } = samples.find((sample) => sample.kind === kind)!;
  return { from: 'sample', kind, width, height, seed: 1 };
}

export class PicturePanel {
  private readonly chips = byId('samples', HTMLDivElement);
  private readonly info = byId('picture-info', HTMLParagraphElement);

  constructor(private readonly onPicture: (source: PictureSource) => void) {
    for (const { kind, label } of samples) {
      const chip = element('button', { type: 'button', 'data-kind': kind, 'aria-pressed': 'false' }, label);
      chip.addEventListener('click', () => onPicture(sampleSource(kind)));
      this.chips.append(chip);
    }
    const file = byId('file', HTMLInputElement);
    file.addEventListener('change', () => {
      this.takeFirst(file.files);
      file.value = '';
    });
    this.listenForDrops();
    document.addEventListener('paste', (event) => this.takeFirst(event.clipboardData?.files ?? null));
  }

  show(source: PictureSource, picture: PictureInfo): void {
    const kind = source.from === 'sample' ? source.kind : null;
    for (const chip of this.chips.querySelectorAll('button')) {
      chip.setAttribute('aria-pressed', String(chip.dataset['kind'] === kind));
    }
    const name = source.from === 'sample' ? 'Sample' : picture.name;
    this.info.textContent =
      `${name}: ${countText(picture.width)} × ${countText(picture.height)} pixels` +
      (picture.hasAlpha ? ', with transparency' : '');
  }

  private takeFirst(files: FileList | null): void {
    const file = files?.[0];
    if (file) this.onPicture({ from: 'file', blob: file, name: file.name || 'The picture' });
  }

  private listenForDrops(): void {
    const isFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    document.addEventListener('dragover', (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      document.body.classList.add('dragging');
    });
    document.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) document.body.classList.remove('dragging');
    });
    document.addEventListener('drop', (event) => {
      document.body.classList.remove('dragging');
      if (!isFile(event)) return;
      event.preventDefault();
      this.takeFirst(event.dataTransfer!.files);
    });
  }
}
