// The row of controls above the viewer.
import type { View } from '../viewer/viewport';
import type { Viewer } from '../viewer/viewer';
import { byId } from './dom';

const zoomStep = 1.5;

export function startToolbar(viewer: Viewer): void {
  byId('views', HTMLFieldSetElement).addEventListener('change', (event) => {
    const view = (event.target as HTMLInputElement).value as View;
    byId('gain-field', HTMLLabelElement).hidden = view !== 'error' && view !== 'panes';
    viewer.setView(view);
  });
  const gain = byId('gain', HTMLInputElement);
  gain.addEventListener('input', () => {
    const times = 2 ** Number(gain.value);
    byId('gain-value', HTMLOutputElement).textContent = String(times);
    gain.setAttribute('aria-valuetext', `${times} times`);
    viewer.setGain(times);
  });
  const grid = byId('grid', HTMLInputElement);
  grid.addEventListener('change', () => viewer.setOverlay({ showGrid: grid.checked }));
  const onClick = (id: string, act: () => void) => byId(id, HTMLButtonElement).addEventListener('click', act);
  onClick('zoom-in', () => viewer.zoom(zoomStep));
  onClick('zoom-out', () => viewer.zoom(1 / zoomStep));
  onClick('zoom-fit', () => viewer.fit());
  onClick('zoom-actual', () => viewer.actualSize());
}
