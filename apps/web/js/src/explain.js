// One block or leaf in words and numbers.
import { readBc1Block } from './bc1.js';
import { throwIfAborted, usageError } from './errors.js';
import { channelNames, endpointModeNames, isometryNames } from './names.js';

export async function explainAt(pool, inspection, x, y, { signal }) {
  throwIfAborted(signal);
  const { width, height, format } = inspection;
  if (!(x >= 0 && y >= 0 && x < width && y < height)) {
    throw usageError(`The picture has ${width} x ${height} pixels, so there is none at ${x}, ${y}.`);
  }
  if (format === 'fractal') return explainLeaf(inspection, x, y);
  const { blockWidth, blockHeight, levels } = inspection.info;
  const column = Math.floor(x / blockWidth);
  const row = Math.floor(y / blockHeight);
  const blockBytes = format === 'astc' ? 16 : 8;
  const index = row * inspection.blocksAcross + column;
  const start = levels[inspection.level].byteOffset + index * blockBytes;
  const block = inspection.bytes.slice(start, start + blockBytes);
  const rect = { x: column * blockWidth, y: row * blockHeight, width: blockWidth, height: blockHeight };
  const place = { name: 'Block', value: `column ${column}, row ${row}` };
  if (format === 'bc1') return explainBc1(block, rect, place);
  const facts = await pool.run('explainAstc', { block, blockWidth, blockHeight }, { signal });
  return explainAstc(facts, block, rect, place);
}

const hexadecimal = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
const fact = (name, value) => ({ name, value: String(value) });
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Of what is not made of weights between endpoints. */
const noWeights = () => ({ weights: new Uint8Array(0), secondWeights: new Uint8Array(0) });

function explainAstc(facts, block, rect, place) {
  const texelCount = rect.width * rect.height;
  const bytesFact = fact('Bytes', hexadecimal(block));
  if (facts.kind === 'illegal') {
    return {
      rect,
      sentences: ['The block breaks the rules of the format; decoders show it in magenta.'],
      facts: [place, fact('Kind', 'illegal'), bytesFact],
      endpoints: [],
      texels: new Uint8Array(texelCount),
      ...noWeights(),
    };
  }
  if (facts.kind === 'void extent') {
    const color = facts.hdr ? facts.color : facts.color.map((value) => value >> 8);
    return {
      rect,
      sentences: ['All texels of the block have one colour (a void extent).'],
      facts: [place, fact('Kind', 'void extent'), fact('Colour', color.join(', ')), bytesFact],
      endpoints: [{ low: color, high: color }],
      texels: new Uint8Array(texelCount),
      ...noWeights(),
    };
  }
  return {
    rect,
    sentences: weightedSentences(facts, rect),
    facts: [place, ...weightedFacts(facts), bytesFact],
    endpoints: facts.endpoints.map(({ low, high }) => ({ low, high })),
    texels: Uint8Array.from(facts.partitionMap),
    weights: Uint8Array.from(facts.weights),
    secondWeights: Uint8Array.from(facts.secondWeights ?? []),
  };
}

function weightedSentences(facts, rect) {
  const { partitions, planes, gridWidth, gridHeight, weightLevels, colorLevels } = facts;
  const modes = facts.endpointModes.map((mode) => endpointModeNames[mode]);
  const sentences = [
    partitions === 1
      ? `All texels lie between two colours, stored as ${modes[0]}.`
      : `The texels are divided among ${partitions} pairs of colours by pattern ${facts.seed}, ` +
        `stored as ${modes.join('; ')}.`,
    gridWidth === rect.width && gridHeight === rect.height
      ? `Each texel has a weight of its own with ${weightLevels} levels.`
      : `A grid of ${gridWidth}x${gridHeight} weights with ${weightLevels} levels is stretched ` +
        `over the ${rect.width}x${rect.height} texels.`,
  ];
  if (planes === 2) {
    sentences.push(`The channel ${channelNames[facts.secondPlaneChannel]} has weights of its own.`);
  }
  sentences.push(
    `Colours take ${plural(facts.colorBits, 'bit')} (${colorLevels} levels a value), ` +
      `weights ${plural(facts.weightBits, 'bit')} of the 128.`,
  );
  return sentences;
}

function weightedFacts(facts) {
  const list = [fact('Kind', 'weights between endpoints'), fact('Partitions', facts.partitions)];
  if (facts.partitions > 1) list.push(fact('Pattern', facts.seed));
  list.push(fact('Planes of weights', facts.planes));
  if (facts.planes === 2) list.push(fact('Second plane', channelNames[facts.secondPlaneChannel]));
  facts.endpointModes.forEach((mode, i) => {
    const name = facts.partitions > 1 ? `Endpoint mode ${i + 1}` : 'Endpoint mode';
    list.push(fact(name, `${mode} (${endpointModeNames[mode]})`));
  });
  facts.endpoints.forEach(({ low, high, hdr }, i) => {
    const name = facts.partitions > 1 ? `Endpoints ${i + 1}` : 'Endpoints';
    list.push(fact(name, `${low.join(', ')} to ${high.join(', ')}${hdr ? ' (HDR)' : ''}`));
  });
  list.push(fact('Weight grid', `${facts.gridWidth}x${facts.gridHeight}`));
  list.push(fact('Weight levels', facts.weightLevels), fact('Colour levels', facts.colorLevels));
  return list;
}

function explainBc1(block, rect, place) {
  const { low, high, mode, indices } = readBc1Block(block);
  const hasTransparent = mode === 3 && indices.includes(3);
  const isFlat = low.join() === high.join();
  const sentences = [
    mode === 4
      ? 'Each texel is one of four colours: two that are stored, and two between them at thirds.'
      : 'Each texel is one of three colours, two that are stored and the one halfway, or transparent black.',
  ];
  if (isFlat) sentences.push('Both stored colours are the same.');
  if (hasTransparent) sentences.push('Some texels are transparent.');
  return {
    rect,
    sentences,
    facts: [
      place,
      fact('Mode', mode === 4 ? 'four colours' : 'three colours and transparent'),
      fact('First colour', low.join(', ')),
      fact('Second colour', high.join(', ')),
      fact('Bytes', hexadecimal(block)),
    ],
    endpoints: [{ low: [...low, 255], high: [...high, 255] }],
    texels: indices,
    ...noWeights(),
  };
}

function leafAt({ planes, xs, ys, sides, leafCount }, x, y) {
  for (let i = 0; i < leafCount; ++i) {
    const side = sides[i];
    if (planes[i] === 0 && x >= xs[i] && x < xs[i] + side && y >= ys[i] && y < ys[i] + side) return i;
  }
  throw usageError(`There is no leaf at ${x}, ${y}.`);
}

function explainLeaf(leaves, x, y) {
  const i = leafAt(leaves, Math.floor(x), Math.floor(y));
  const side = leaves.sides[i];
  const rect = { x: leaves.xs[i], y: leaves.ys[i], width: side, height: side };
  const brightness = leaves.brightnesses[i];
  const facts = [
    fact('Leaf', `${side}x${side} pixels at ${rect.x}, ${rect.y}`),
    fact('Kind', ['flat', 'fractal', 'cosine transform'][leaves.kinds[i]]),
    fact('Brightness', brightness.toFixed(1)),
  ];
  const result = { rect, facts, endpoints: [], texels: new Uint8Array(0), ...noWeights() };
  if (leaves.kinds[i] === 0) {
    return { ...result, sentences: [`All pixels of the leaf have the brightness ${brightness.toFixed(1)}.`] };
  }
  if (leaves.kinds[i] === 2) {
    return {
      ...result,
      sentences: ['The leaf stores coefficients of a cosine transform, where no other part of the picture is like it.'],
    };
  }
  const domainSide = leaves.domainSides[i];
  const domain = { x: leaves.domainXs[i], y: leaves.domainYs[i], width: domainSide, height: domainSide };
  const contrast = leaves.contrasts[i];
  facts.push(
    fact('Domain', `${domainSide}x${domainSide} pixels at ${domain.x}, ${domain.y}`),
    fact('Transform', isometryNames[leaves.isometries[i]]),
    fact('Contrast', contrast.toFixed(3)),
  );
  return {
    ...result,
    domain,
    sentences: [
      `The leaf is a copy of the square at ${domain.x}, ${domain.y}, shrunk to half its size and ${isometryNames[leaves.isometries[i]]}.`,
      `Its contrast is multiplied by ${contrast.toFixed(2)}${contrast < 0 ? ', which makes a negative of it,' : ''} and its mean set to ${brightness.toFixed(1)}.`,
    ],
  };
}
