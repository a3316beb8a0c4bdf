// Facts of blocks and leaves.
import { describeBytes, levelOf, publicInfo } from './decode.js';

export async function inspectBytes(pool, given, { raw, level: number = 0, signal }) {
  const { info, bytes } = await describeBytes(pool, given, raw, undefined, signal);
  if (info.format === 'fractal') return inspectFractal(pool, info, bytes, signal);
  const level = levelOf(info, number);
  const { width, height } = level;
  const { blockWidth, blockHeight } = info;
  const blocks = bytes.slice(level.byteOffset, level.byteOffset + level.byteLength);
  const task = info.format === 'astc' ? 'inspectAstc' : 'inspectBc1';
  const run = { signal, transfer: [blocks.buffer] };
  const facts = await pool.run(task, { blocks, blockWidth, blockHeight }, run);
  return {
    format: info.format,
    info: publicInfo(info),
    bytes,
    level: number,
    width,
    height,
    blocksAcross: Math.ceil(width / blockWidth),
    blocksDown: Math.ceil(height / blockHeight),
    ...facts,
  };
}

async function inspectFractal(pool, info, bytes, signal) {
  const facts = await pool.run('fractalLeaves', { bytes }, { signal, module: 'fractal' });
  const { scaleUnit, sampleUnit, ...leaves } = facts;
  const { width, height } = info;
  return { format: 'fractal', info: publicInfo(info), bytes, width, height, ...leaves };
}
