// Maps of a result: one colour for each block, and what the colours mean.
import { endpointModeNames } from 'tessera-wasm';
import type { AstcInspection, Bc1Inspection, Comparison, FractalInspection } from 'tessera-wasm';
import { categoryColors, heatColor, leafKinds, type Rgb } from './map-colors';
import type { LegendEntry, MapImage, PixelBlock } from './protocol';

const css = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;

interface Cells {
  across: number;
  down: number;
  cellWidth: number;
  cellHeight: number;
}

function paint(cells: Cells, colorOf: (cell: number) => Rgb, legend: LegendEntry[], caption: string): MapImage {
  const { across, down, cellWidth, cellHeight } = cells;
  const data = new Uint8Array(across * down * 4);
  for (let cell = 0; cell < across * down; ++cell) {
    const color = colorOf(cell);
    data.set(color, cell * 4);
    data[cell * 4 + 3] = 255;
  }
  return { pixels: { data, width: across, height: down }, cellWidth, cellHeight, legend, caption };
}

/** Colours for what `keyOf` tells apart, the most frequent key first. */
function paintCategories(
  cells: Cells,
  keyOf: (cell: number) => number,
  nameOf: (key: number) => string,
  caption: string,
  order: 'frequency' | 'key' = 'frequency',
): MapImage {
  const total = cells.across * cells.down;
  const counts = new Map<number, number>();
  for (let cell = 0; cell < total; ++cell) {
    const key = keyOf(cell);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const keys = [...counts.keys()].sort((a, b) =>
    order === 'key' ? a - b : counts.get(b)! - counts.get(a)!,
  );
  const last = categoryColors.length - 1;
  const colors = new Map(keys.map((key, i) => [key, categoryColors[Math.min(i, last)]!]));
  const legend = keys.slice(0, last).map((key) => ({
    color: css(colors.get(key)!),
    label: nameOf(key),
    share: counts.get(key)! / total,
  }));
  const rest = keys.slice(last).reduce((sum, key) => sum + counts.get(key)!, 0);
  if (rest > 0) legend.push({ color: css(categoryColors[last]!), label: 'others', share: rest / total });
  return paint(cells, (cell) => colors.get(keyOf(cell))!, legend, caption);
}

/** Of each block: the sum of the squared differences of alpha. */
function alphaErrors(a: PixelBlock, b: PixelBlock, { blockWidth, blockHeight, blocksAcross, blocksDown }: Comparison): Float64Array {
  const sums = new Float64Array(blocksAcross * blocksDown);
  for (let y = 0, at = 3; y < a.height; ++y) {
    const row = Math.floor(y / blockHeight) * blocksAcross;
    for (let x = 0; x < a.width; ++x, at += 4) {
      const difference = a.data[at]! - b.data[at]!;
      if (difference !== 0) sums[row + Math.floor(x / blockWidth)]! += difference * difference;
    }
  }
  return sums;
}

/** Alpha counts where the picture has some that is not opaque. */
export function errorMap(comparison: Comparison, source: PixelBlock, decoded: PixelBlock, hasAlpha: boolean): MapImage {
  const { blocksAcross, blocksDown, blockWidth, blockHeight, blockSquaredErrors } = comparison;
  const { width, height } = source;
  const ofAlpha = hasAlpha ? alphaErrors(source, decoded, comparison) : null;
  const channels = hasAlpha ? 4 : 3;
  // Root mean squares of 0 to 24 steps cover what can be told apart; more is far off anyway.
  const full = 24;
  const colorOf = (cell: number): Rgb => {
    const x = (cell % blocksAcross) * blockWidth;
    const y = Math.floor(cell / blocksAcross) * blockHeight;
    const texels = Math.min(blockWidth, width - x) * Math.min(blockHeight, height - y);
    const squares = blockSquaredErrors[cell]! + (ofAlpha?.[cell] ?? 0);
    return heatColor(Math.sqrt(Math.sqrt(squares / (channels * texels)) / full));
  };
  const legend = [0, 1, 3, 6, 12, 24].map((rms) => ({
    color: css(heatColor(Math.sqrt(rms / full))),
    label: rms === full ? `${rms} or more` : String(rms),
    share: null,
  }));
  const cells = { across: blocksAcross, down: blocksDown, cellWidth: blockWidth, cellHeight: blockHeight };
  const counted = hasAlpha ? 'red, green, blue and alpha' : 'red, green and blue';
  return paint(cells, colorOf, legend, `Root mean squared error of each block in ${counted}, in steps of 255.`);
}

function blockCells(inspection: AstcInspection | Bc1Inspection): Cells {
  return {
    across: inspection.blocksAcross,
    down: inspection.blocksDown,
    cellWidth: inspection.info.blockWidth,
    cellHeight: inspection.info.blockHeight,
  };
}

const oneColor = 1000;
const illegal = 1001;

export function astcMap(inspection: AstcInspection, kind: string): MapImage {
  const cells = blockCells(inspection);
  const special = (block: number) => [0, oneColor, illegal][inspection.kinds[block]!]!;
  const named = (nameOf: (key: number) => string) => (key: number) =>
    key === oneColor ? 'one colour' : key === illegal ? 'illegal' : nameOf(key);
  switch (kind) {
    case 'partitions':
      return paintCategories(
        cells,
        (block) => special(block) || inspection.partitions[block]!,
        named((count) => (count === 1 ? '1 partition' : `${count} partitions`)),
        'How many parts with colours of their own each block has.',
        'key',
      );
    case 'planes':
      return paintCategories(
        cells,
        (block) => special(block) || (inspection.planes[block] === 2 ? 2 + inspection.secondPlaneChannels[block]! : 1),
        named((key) => (key === 1 ? '1 plane' : `2 planes: ${['red', 'green', 'blue', 'alpha'][key - 2]} apart`)),
        'Blocks of two planes give one channel weights of its own.',
        'key',
      );
    case 'endpoints':
      return paintCategories(
        cells,
        (block) => special(block) || inspection.endpointModes[block * 4]!,
        named((mode) => endpointModeNames[mode] ?? `mode ${mode}`),
        'How each block stores the two colours of its first partition.',
      );
    default:
      return paintCategories(
        cells,
        (block) => special(block) || inspection.gridWidths[block]! * 16 + inspection.gridHeights[block]!,
        named((key) => `${key >> 4} × ${key & 15} weights`),
        'The grid of weights that each block stores.',
      );
  }
}

export function bc1Map(inspection: Bc1Inspection, kind: string): MapImage {
  const cells = blockCells(inspection);
  if (kind === 'colors') {
    return paintCategories(
      cells,
      (block) => inspection.modes[block]!,
      (mode) => (mode === 4 ? 'four colours' : 'three colours and transparent black'),
      'Which of its two modes each block uses.',
      'key',
    );
  }
  const distance = (block: number) => {
    const at = block * 6;
    const part = (i: number) => inspection.endpoints[at + i]! - inspection.endpoints[at + 3 + i]!;
    return Math.hypot(part(0), part(1), part(2));
  };
  const full = 256;
  const legend = [0, 16, 64, 128, 256].map((value) => ({
    color: css(heatColor(Math.sqrt(value / full))),
    label: value === full ? `${value} or more` : String(value),
    share: null,
  }));
  const colorOf = (block: number) => heatColor(Math.sqrt(distance(block) / full));
  return paint(cells, colorOf, legend, 'How far the two colours of each block lie apart, in steps of 255.');
}

const leafCell = 4;

/** The kind of the luma leaf over each cell of 4x4 pixels, the least side of a leaf. */
export function leafMap(inspection: FractalInspection): MapImage {
  const across = Math.ceil(inspection.width / leafCell);
  const down = Math.ceil(inspection.height / leafCell);
  const kinds = new Uint8Array(across * down);
  for (let leaf = 0; leaf < inspection.leafCount; ++leaf) {
    if (inspection.planes[leaf] !== 0) continue;
    const left = Math.floor(inspection.xs[leaf]! / leafCell);
    const top = Math.floor(inspection.ys[leaf]! / leafCell);
    const side = Math.max(1, inspection.sides[leaf]! / leafCell);
    for (let y = top; y < Math.min(down, top + side); ++y) {
      kinds.fill(inspection.kinds[leaf]!, y * across + left, y * across + Math.min(across, left + side));
    }
  }
  const counts = leafKinds.map((_, kind) => kinds.reduce((sum, k) => sum + (k === kind ? 1 : 0), 0));
  const legend = leafKinds.map(({ color, label }, kind) => ({
    color: css(color),
    label,
    share: counts[kind]! / kinds.length,
  }));
  const cells = { across, down, cellWidth: leafCell, cellHeight: leafCell };
  const caption = 'What the leaves of the quadtree are made of, by the part of the picture they cover.';
  return paint(cells, (cell) => leafKinds[kinds[cell]!]!.color, legend, caption);
}
