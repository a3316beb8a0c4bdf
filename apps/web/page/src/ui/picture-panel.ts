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

export interface PictureEvents {
  onPicture(source: PictureSource): void;
  onProblem(sentence: string): void;
}

const noFileSentence =
  'What was dropped is no file, and this page fetches nothing. Save the picture, and drop or choose its file.';

export class PicturePanel {
  private readonly chips = byId('samples', HTMLDivElement);
  private readonly info = byId('picture-info', HTMLSpanElement);

  /** Which of several files was taken. */
  private readonly note = byId('picture-note', HTMLSpanElement);

  constructor(private readonly events: PictureEvents) {
    for (const { kind, label } of samples) {
      const chip = element('button', { type: 'button', 'data-kind': kind, 'aria-pressed': 'false' }, label);
      chip.addEventListener('click', () => this.take(sampleSource(kind), 1));
      this.chips.append(chip);
    }
    const file = byId('file', HTMLInputElement);
    file.addEventListener('change', () => {
      if (file.files) this.takeFirst(file.files);
      file.value = '';
    });
    this.listenForDrops();
    document.addEventListener('paste', (event) => {
      if (event.clipboardData) this.takeFirst(event.clipboardData.files);
    });
  }

  show(source: PictureSource, picture: PictureInfo): void {
    const kind = source.from === 'sample' ? source.kind : null;
    for (const chip of this.chips.querySelectorAll('button')) {
      chip.setAttribute('aria-pressed', String(chip.dataset['kind'] === kind));
    }
    const name = source.from === 'sample' ? 'Sample' : picture.name;
    this.info.textContent =
      `${name}: ${countText(picture.width)} × ${countText(picture.height)} pixels` +
      (picture.hasAlpha ? ', with transparency.' : '.');
  }

  /** Returns false where there is none. */
  private takeFirst(files: FileList): boolean {
    const file = files[0];
    if (!file) return false;
    this.take({ from: 'file', blob: file, name: file.name || 'The picture' }, files.length);
    return true;
  }

  private take(source: PictureSource, fileCount: number): void {
    const isOneOfMany = source.from === 'file' && fileCount > 1;
    this.note.textContent = isOneOfMany
      ? `Of ${countText(fileCount)} files the first one was taken, ${source.name}: this page shows one picture at a time.`
      : '';
    this.events.onPicture(source);
  }

  /** Drops of all kinds are kept from the browser, which would leave the page for a link or an image. */
  private listenForDrops(): void {
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
      if (event.dataTransfer?.types.includes('Files')) document.body.classList.add('dragging');
    });
    document.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) document.body.classList.remove('dragging');
    });
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      document.body.classList.remove('dragging');
      if (!event.dataTransfer || !this.takeFirst(event.dataTransfer.files)) this.events.onProblem(noFileSentence);
    });
  }
}
