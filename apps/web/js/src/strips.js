// Cutting levels into strips of whole block rows, and having the workers do them.
import { throwIfAborted } from './errors.js';

// Fewer blocks than this do not fill the encoder's vectors well.
const fewestBlocks = 2048;
// Strips of slow presets are short, so that progress is seen and a call can be given up.
const mostBlocks = { realtime: 65536, fast: 16384, medium: 8192, thorough: 4096, exhaustive: 2048 };
// So many strips for each worker let all of them end at about the same time.
const stripsPerWorker = 12;

export function mostBlocksOf({ format, preset, quality }) {
  if (format === 'bc1') return preset === 'exhaustive' ? 16384 : 131072;
  if (quality === undefined) return mostBlocks[preset ?? 'medium'] ?? fewestBlocks;
  const names = ['realtime', 'fast', 'medium', 'thorough', 'exhaustive'];
  return mostBlocks[names[Math.min(4, Math.ceil(quality / 25))]] ?? fewestBlocks;
}

/** The strips of a level: rows of pixels, and where their blocks lie in the level's payload. */
export function cutLevel({ width, height }, block, workerCount, most) {
  const across = Math.ceil(width / block.width);
  const down = Math.ceil(height / block.height);
  const share = (across * down) / (workerCount === 1 ? 1 : workerCount * stripsPerWorker);
  const blocks = Math.min(most, Math.max(fewestBlocks, share));
  const rows = Math.max(1, Math.round(blocks / across));
  const strips = [];
  for (let row = 0; row < down; row += rows) {
    const endRow = Math.min(down, row + rows);
    const y = row * block.height;
    strips.push({
      y,
      height: Math.min(height, endRow * block.height) - y,
      byteOffset: row * across * block.bytes,
      byteLength: (endRow - row) * across * block.bytes,
    });
  }
  return strips;
}

/** Has a task done for each strip. `messageOf(strip)` is called when a worker is about to be free,
 *  so that the copies of all strips are not in memory at once. */
export async function runStrips(pool, task, strips, signal, messageOf, onResult) {
  throwIfAborted(signal);
  const others = new AbortController(); // the first failure gives up the others
  const giveUp = () => others.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp);
  let next = 0;
  const work = async () => {
    while (next < strips.length) {
      const strip = strips[next++];
      const { args, transfer } = messageOf(strip);
      const options = { signal: others.signal, transfer, isStrip: true };
      await onResult(strip, await pool.run(task, args, options));
    }
  };
  try {
    await Promise.all(Array.from({ length: pool.slots.length * 2 }, work));
  } catch (error) {
    next = strips.length;
    giveUp();
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}
