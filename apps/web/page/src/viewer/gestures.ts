// Mouse, pen and fingers on the viewer: drag to pan, pinch to zoom, move or tap to point. The wheel zooms
// where the viewer has the focus or a key is held, else it scrolls the page.
import type { Point } from './viewport';

export interface GestureActions {
  pan(dx: number, dy: number): void;
  zoom(at: Point, factor: number): void;
  point(at: Point | null): void;
}

const wheelSpeed = 0.0016;
/** A press that moves less is a tap. */
const tapDistance = 6;

export function listenForGestures(element: HTMLElement, actions: GestureActions): void {
  const pressed = new Map<number, Point>();
  let travelled = 0;

  const pointOf = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const pinch = (id: number, at: Point): void => {
    const other = [...pressed.entries()].find(([otherId]) => otherId !== id)![1];
    const before = pressed.get(id)!;
    const length = (p: Point) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y));
    actions.zoom({ x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 }, length(at) / length(before));
    actions.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
  };

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || (event.target as Element).closest('[data-no-pan]')) return;
    element.setPointerCapture(event.pointerId);
    pressed.set(event.pointerId, pointOf(event));
    if (pressed.size === 1) travelled = 0;
  });

  element.addEventListener('pointermove', (event) => {
    const at = pointOf(event);
    const before = pressed.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== 'touch') actions.point(at);
      return;
    }
    travelled += Math.hypot(at.x - before.x, at.y - before.y);
    if (pressed.size >= 2) pinch(event.pointerId, at);
    else if (travelled >= tapDistance) actions.pan(at.x - before.x, at.y - before.y);
    pressed.set(event.pointerId, at);
  });

  const release = (event: PointerEvent) => {
    const wasPressed = pressed.delete(event.pointerId);
    if (wasPressed && event.type === 'pointerup' && travelled < tapDistance) actions.point(pointOf(event));
  };
  element.addEventListener('pointerup', release);
  element.addEventListener('pointercancel', release);
  element.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse' && pressed.size === 0) actions.point(null);
  });

  element.addEventListener(
    'wheel',
    (event) => {
      // Whoever only scrolls past the picture goes on scrolling.
      if (!event.ctrlKey && !event.metaKey && !element.matches(':focus-within')) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
      // A pinch on a touchpad comes as a wheel with the control key and small steps.
      const speed = wheelSpeed * lines * (event.ctrlKey ? 6 : 1);
      actions.zoom(pointOf(event), Math.exp(-event.deltaY * speed));
    },
    { passive: false },
  );
}
