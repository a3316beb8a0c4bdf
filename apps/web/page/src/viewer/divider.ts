// The divider between original and result: a slider for mouse, fingers and keyboard.

export class Divider {
  private part = 0.5;

  constructor(
    private readonly handle: HTMLElement,
    private readonly room: HTMLElement,
    private readonly onMove: () => void,
  ) {
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId);
      event.stopPropagation();
    });
    handle.addEventListener('pointermove', (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = room.getBoundingClientRect();
      this.set((event.clientX - box.left) / box.width);
    });
    handle.addEventListener('keydown', (event) => {
      const steps: Record<string, number> = { ArrowLeft: -0.02, ArrowRight: 0.02, PageDown: -0.1, PageUp: 0.1 };
      const step = steps[event.key];
      if (step) this.set(this.part + step);
      else if (event.key === 'Home') this.set(0);
      else if (event.key === 'End') this.set(1);
      else return;
      event.preventDefault();
    });
    this.show();
  }

  /** Part of the width that shows the original. */
  get value(): number {
    return this.part;
  }

  set(part: number): void {
    this.part = Math.min(Math.max(part, 0), 1);
    this.show();
    this.onMove();
  }

  setVisible(visible: boolean): void {
    this.handle.hidden = !visible;
  }

  private show(): void {
    const percent = Math.round(this.part * 100);
    this.handle.style.left = `${this.part * 100}%`;
    this.handle.setAttribute('aria-valuenow', String(percent));
    this.handle.setAttribute('aria-valuetext', `${percent} % original, ${100 - percent} % result`);
    this.room.style.setProperty('--divider', `${this.part * 100}%`);
  }
}
