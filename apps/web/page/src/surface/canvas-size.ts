// The size of a canvas, which is emptied whenever it is set.

export interface CanvasSize {
  /** Pixels of the canvas. */
  width: number;
  height: number;
}

export function setCanvasSize(canvas: HTMLCanvasElement | OffscreenCanvas, { width, height }: CanvasSize): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
