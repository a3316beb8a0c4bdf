// What a page asks each worker that draws on a canvas of its own; the workers add calls for what they draw.

export type SurfaceMethods<Frame> = {
  /** False where there is no WebGL 2. */
  open: { argument: OffscreenCanvas; result: boolean };
  /** Answered when the context is lost, and when it is back. */
  lost: { argument: null; result: null };
  restored: { argument: null; result: null };
  /** Answered when the driver has drawn the frame. */
  draw: { argument: Frame; result: null };
};
