// The blocks of a texture in another container, without encoding them again.
import { optionText } from './engine.js';
import { usageError } from './errors.js';
import { allocate } from './pixels.js';
import { describeBytes, publicInfo } from './decode.js';

export async function repackBytes(pool, given, container, { raw, profile, signal }) {
  if (typeof container !== 'string') throw usageError('The container to repack to is a name such as ktx2.');
  const { info, bytes } = await describeBytes(pool, given, raw, profile, signal);
  if (container === info.container) return { bytes, info: publicInfo(info) };
  if (info.format === 'fractal') throw usageError(`Fractal images are .tsf files and cannot become ${container}.`);
  const { layout, head } = await layOut(pool, info, container, signal);
  const file = allocate(layout.byteLength, (target) => {
    target.set(head);
    layout.levels.forEach(({ byteOffset, byteLength }, i) => {
      const from = info.levels[i].byteOffset;
      target.set(bytes.subarray(from, from + byteLength), byteOffset);
    });
  });
  return { bytes: file, info: publicInfo({ ...info, container, levels: layout.levels }) };
}

/** What comes before the levels in the new file, and where they lie. */
async function layOut(pool, info, container, signal) {
  const { format, width, height, blockWidth, blockHeight, profile, levels } = info;
  const bare = container === 'blocks';
  const text = optionText({
    format,
    block: `${blockWidth}x${blockHeight}`,
    profile,
    mips: levels.length > 1,
    container: bare ? 'ktx2' : container,
    'unknown-settings': true, // the old file's header told them, if at all
  });
  const { layout, head } = await pool.run('plan', { options: text, width, height, bare }, { signal });
  if (layout.levels.length !== levels.length) {
    throw usageError(
      `Only textures with all mip levels, or with one, can be repacked: this one has ${levels.length} of ${layout.levels.length}.`,
    );
  }
  return { layout, head };
}
