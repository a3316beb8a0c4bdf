// Progress as callers see it.

/** Calls back with a part that never falls. */
export function progressOf(onProgress) {
  let done = 0;
  return (fraction) => {
    if (!onProgress || fraction <= done) return;
    done = Math.min(1, fraction);
    onProgress(done);
  };
}
