// Waits for the graphics driver without holding up the thread.

/** Milliseconds between two looks. */
const period = 3;

/** Comes back when the driver has done all it was told so far, or its context is lost. */
export async function driverIsDone(gl: WebGL2RenderingContext): Promise<void> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (!fence) return;
  gl.flush();
  while (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED && !gl.isContextLost()) {
    await new Promise((resolve) => setTimeout(resolve, period));
  }
  gl.deleteSync(fence);
}
