// Format, block size, preset or quality, profile.
import type { Format, Preset, Profile } from 'tessera-wasm';
import type { Settings } from '../engine/protocol';
import { astcBlocks } from '../gl/compressed-formats';
import { byId, element } from './dom';
import { bitsPerPixelOf } from './numbers';

const presetQualities: Record<string, number> = {
  realtime: 0,
  fast: 25,
  medium: 50,
  thorough: 75,
  exhaustive: 100,
};

export class SettingsPanel {
  private readonly form = byId('settings', HTMLFormElement);
  private readonly block = byId('block-size', HTMLSelectElement);
  private readonly preset = byId('preset', HTMLSelectElement);
  private readonly quality = byId('quality', HTMLInputElement);
  /** Quality means effort in ASTC and size in fractal images, so each keeps its own. */
  private readonly qualities: Record<'effort' | 'size', string> = { effort: '50', size: '50' };
  private readonly qualityValue = byId('quality-value', HTMLOutputElement);

  constructor(
    private readonly onChange: () => void,
    onSubmit: () => void,
  ) {
    for (const block of astcBlocks) {
      const bits = bitsPerPixelOf(block).toFixed(2);
      this.block.append(element('option', { value: block }, `${block.replace('x', ' × ')} · ${bits} bits per pixel`));
    }
    this.block.value = '6x6';
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      onSubmit();
    });
    this.form.addEventListener('change', (event) => this.changed(event.target));
    this.quality.addEventListener('input', () => this.showQuality());
    this.adapt();
  }

  get settings(): Settings {
    const fields = new FormData(this.form);
    const format = fields.get('format') as Format;
    const preset = this.preset.value === 'quality' || format === 'fractal' ? null : this.preset.value;
    return {
      format,
      block: format === 'astc' ? this.block.value : '4x4',
      preset: preset as Preset | null,
      quality: Math.max(Number(this.quality.value), format === 'fractal' ? 1 : 0),
      profile: format === 'astc' ? (fields.get('profile') as Profile) : 'ldr',
    };
  }

  /** Takes over a point of the chart. */
  choose(change: { block?: string; quality?: number }): void {
    if (change.block) this.block.value = change.block;
    if (change.quality !== undefined) this.quality.value = String(change.quality);
    this.adapt();
    this.onChange();
  }

  private get qualityKind(): 'effort' | 'size' {
    return this.settings.format === 'fractal' ? 'size' : 'effort';
  }

  private changed(target: EventTarget | null): void {
    if (target instanceof HTMLInputElement && target.name === 'format') {
      this.quality.value = this.qualities[this.qualityKind];
    }
    if (target === this.quality && this.settings.format === 'astc') this.preset.value = 'quality';
    if (target === this.preset) {
      const quality = presetQualities[this.preset.value];
      if (quality !== undefined) this.quality.value = String(quality);
    }
    this.qualities[this.qualityKind] = this.quality.value;
    this.adapt();
    this.onChange();
  }

  /** Shows the fields that the format has. */
  private adapt(): void {
    const { format } = this.settings;
    for (const field of this.form.querySelectorAll<HTMLElement>('[data-for]')) {
      field.hidden = !field.dataset['for']!.split(' ').includes(format);
    }
    if (format === 'bc1' && this.preset.value === 'quality') this.preset.value = 'medium';
    this.showQuality();
  }

  private showQuality(): void {
    this.qualityValue.textContent = String(this.settings.quality);
  }
}
