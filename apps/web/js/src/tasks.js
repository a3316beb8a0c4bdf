// What a worker can be asked for. Each task takes an engine and the arguments of a message, and
// gives { result, transfer }: what is sent back, and the buffers that go with it without a copy.
import { Engine } from './engine.js';
import { inspectBc1 } from './bc1.js';

const withTransfer = (result, ...arrays) => ({ result, transfer: arrays.map((a) => a.buffer) });

const milliseconds = () => performance.now();

/** What the encoder of these options makes of a picture of this size, before there are pixels. */
function plan(engine, { options, width, height, bare }) {
  const { handle, info } = engine.encoderOf(options);
  if (!info.hasBlocks) return { result: { info }, transfer: [] };
  engine.check(engine.exports.tessera_web_lay_out(handle, width, height, bare ? 1 : 0));
  const layout = engine.replyJson();
  const head = engine.replyBytes();
  const areas = info.wantsAreas ? listAreas(engine, handle, width, height) : new Uint32Array();
  return withTransfer({ info, layout, head, areas }, head, areas);
}

/** What the encoder looks at of a picture: x, y, width and height of each area. */
function listAreas(engine, handle, width, height) {
  engine.check(engine.exports.tessera_web_list_areas(handle, width, height));
  return new Uint32Array(engine.replyBytes().buffer);
}

/** The facts of a picture from its areas, whose pixels come one after the other. */
function lookAtAreas(engine, { options, areas, pixels }) {
  const { handle } = engine.encoderOf(options);
  engine.withMemory(areas, (list) =>
    engine.withMemory(pixels, (first) => {
      engine.check(engine.exports.tessera_web_look_at_areas(handle, list, areas.length / 4, first));
    }),
  );
  return { result: engine.replyJson(), transfer: [] };
}

/** Facts of the picture and of its mip levels, and the pixels that the caller does not have. */
function prepare(engine, { options, pixels, width, height }) {
  const { handle } = engine.encoderOf(options);
  const levels = engine.withMemory(pixels, (pointer) => {
    engine.check(engine.exports.tessera_web_prepare(handle, pointer, width, height));
    return engine.replyJson().levels.map((level) => ({
      ...level,
      pixels: level.pixels === undefined ? undefined : copyRows(engine, level),
    }));
  });
  engine.exports.tessera_web_forget_levels(handle);
  const made = levels.flatMap((level) => (level.pixels ? [level.pixels] : []));
  return withTransfer({ levels, pixels }, pixels, ...made);
}

function copyRows(engine, { pixels, rowStride, width, height }) {
  const rowBytes = width * 4;
  if (rowStride === rowBytes) return engine.copyOut(pixels, rowBytes * height);
  const rows = new Uint8Array(rowBytes * height);
  const memory = new Uint8Array(engine.exports.memory.buffer);
  for (let y = 0; y < height; ++y) {
    const start = pixels + y * rowStride;
    rows.set(memory.subarray(start, start + rowBytes), y * rowBytes);
  }
  return rows;
}

function encodeStrip(engine, { options, pixels, width, height, factsLow, factsHigh }) {
  const start = milliseconds();
  const { handle } = engine.encoderOf(options);
  engine.withMemory(pixels, (pointer) => {
    engine.check(
      engine.exports.tessera_web_encode_strip(handle, pointer, width, height, factsLow, factsHigh),
    );
  });
  const bytes = engine.replyBytes();
  const alphaDropped = engine.text(engine.exports.tessera_web_text()) === '1';
  return withTransfer({ bytes, pixels, alphaDropped, seconds: (milliseconds() - start) / 1000 }, bytes, pixels);
}

function encodeWhole(engine, { options, pixels, width, height }) {
  const start = milliseconds();
  engine.withText(options, (text) =>
    engine.withMemory(pixels, (pointer) => {
      engine.check(engine.exports.tessera_web_encode_whole(text, pointer, width, height));
    }),
  );
  const bytes = engine.replyBytes();
  const seconds = (milliseconds() - start) / 1000;
  return withTransfer({ bytes, seconds, ...engine.replyJson() }, bytes);
}

function describe(engine, { bytes, raw }) {
  if (raw) {
    engine.withText(raw.options, (text) => {
      engine.check(engine.exports.tessera_web_describe_raw(text, raw.width, raw.height));
    });
  } else {
    engine.withMemory(bytes, (pointer) => {
      engine.check(engine.exports.tessera_web_describe_file(pointer, bytes.byteLength));
    });
  }
  return withTransfer({ info: engine.replyJson(), bytes }, bytes);
}

function decodeStrip(engine, { options, blocks, width, height }) {
  engine.withText(options, (text) =>
    engine.withMemory(blocks, (pointer) => {
      const { byteLength } = blocks;
      engine.check(engine.exports.tessera_web_decode_strip(text, pointer, byteLength, width, height));
    }),
  );
  const pixels = engine.replyBytes();
  return withTransfer({ pixels }, pixels);
}

function decodeWhole(engine, { options, bytes }) {
  engine.withText(options, (text) =>
    engine.withMemory(bytes, (pointer) => {
      engine.check(engine.exports.tessera_web_decode_whole(text, pointer, bytes.byteLength));
    }),
  );
  const pixels = engine.replyBytes();
  return withTransfer({ pixels, ...engine.replyJson() }, pixels);
}

function compare(engine, { reference, test, width, height, blockWidth, blockHeight }) {
  engine.withMemory(reference, (a) =>
    engine.withMemory(test, (b) => {
      engine.check(
        engine.exports.tessera_web_compare(a, b, width, height, blockWidth, blockHeight),
      );
    }),
  );
  const errors = engine.replyBytes();
  return withTransfer({ metrics: engine.replyJson(), errors }, errors);
}

function inspectAstc(engine, { blocks, blockWidth, blockHeight }) {
  engine.withMemory(blocks, (pointer) => {
    const count = blocks.byteLength / 16;
    engine.check(
      engine.exports.tessera_web_inspect_astc(pointer, count, blockWidth, blockHeight),
    );
  });
  const facts = splitRecords(engine.replyBytes());
  return withTransfer(facts, ...Object.values(facts));
}

/** One array for each fact, of records of 14 bytes (block_calls.cc). */
function splitRecords(records) {
  const recordBytes = 14;
  const count = records.length / recordBytes;
  const facts = {
    kinds: new Uint8Array(count),
    partitions: new Uint8Array(count),
    planes: new Uint8Array(count),
    secondPlaneChannels: new Uint8Array(count),
    endpointModes: new Uint8Array(count * 4),
    gridWidths: new Uint8Array(count),
    gridHeights: new Uint8Array(count),
    weightLevels: new Uint8Array(count),
    colorLevels: new Uint16Array(count),
  };
  for (let i = 0, at = 0; i < count; ++i, at += recordBytes) {
    facts.kinds[i] = records[at];
    facts.partitions[i] = records[at + 1];
    facts.planes[i] = records[at + 2];
    facts.secondPlaneChannels[i] = records[at + 3];
    facts.endpointModes.set(records.subarray(at + 4, at + 8), i * 4);
    facts.gridWidths[i] = records[at + 8];
    facts.gridHeights[i] = records[at + 9];
    facts.weightLevels[i] = records[at + 10];
    facts.colorLevels[i] = records[at + 12] | (records[at + 13] << 8);
  }
  return facts;
}

function inspectBc1Blocks(_engine, { blocks }) {
  const facts = inspectBc1(blocks);
  return withTransfer(facts, ...Object.values(facts));
}

function explainAstc(engine, { block, blockWidth, blockHeight }) {
  engine.withMemory(block, (pointer) => {
    engine.check(engine.exports.tessera_web_explain_astc(pointer, blockWidth, blockHeight));
  });
  return { result: engine.replyJson(), transfer: [] };
}

function fractalLeaves(engine, { bytes }) {
  engine.withMemory(bytes, (pointer) => {
    engine.check(engine.exports.tessera_web_fractal_leaves(pointer, bytes.byteLength));
  });
  const facts = engine.replyJson();
  const leaves = splitLeaves(new Int32Array(engine.replyBytes().buffer), facts);
  return withTransfer({ ...facts, ...leaves }, ...Object.values(leaves));
}

/** One array for each fact, of records of 10 numbers (fractal_calls.cc). */
function splitLeaves(records, { leafCount: count, scaleUnit, sampleUnit }) {
  const recordLength = 10;
  const leaves = {
    planes: new Uint8Array(count),
    xs: new Uint32Array(count),
    ys: new Uint32Array(count),
    sides: new Uint32Array(count),
    kinds: new Uint8Array(count),
    domainXs: new Uint32Array(count),
    domainYs: new Uint32Array(count),
    domainSides: new Uint32Array(count),
    isometries: new Uint8Array(count),
    contrasts: new Float32Array(count),
    brightnesses: new Float32Array(count),
  };
  for (let i = 0, at = 0; i < count; ++i, at += recordLength) {
    const [plane, x, y, side, kind, domainX, domainY, isometry, scale, mean] = records.subarray(
      at,
      at + recordLength,
    );
    leaves.planes[i] = plane;
    leaves.xs[i] = x;
    leaves.ys[i] = y;
    leaves.sides[i] = side;
    leaves.kinds[i] = kind;
    leaves.domainXs[i] = domainX;
    leaves.domainYs[i] = domainY;
    leaves.domainSides[i] = kind === 1 ? side * 2 : 0;
    leaves.isometries[i] = isometry;
    leaves.contrasts[i] = scale / scaleUnit;
    leaves.brightnesses[i] = mean / sampleUnit;
  }
  return leaves;
}

function sample(engine, { kind, width, height, seed }) {
  engine.withText(kind, (text) => {
    engine.check(engine.exports.tessera_web_sample(text, width, height, seed));
  });
  const pixels = engine.replyBytes();
  return withTransfer({ pixels }, pixels);
}

function version(engine) {
  return { result: engine.text(engine.exports.tessera_web_version()), transfer: [] };
}

export const tasks = {
  plan,
  prepare,
  lookAtAreas,
  encodeStrip,
  encodeWhole,
  describe,
  decodeStrip,
  decodeWhole,
  compare,
  inspectAstc,
  inspectBc1: inspectBc1Blocks,
  explainAstc,
  fractalLeaves,
  sample,
  version,
};

/** Encodes tiles of one size in an instance of its own, whose memory stays as it is. */
export class TileEngine {
  constructor(engine, options, width, height) {
    this.engine = engine;
    this.options = options;
    this.width = width;
    this.height = height;
    this.start();
  }

  /** In a new instance, too. */
  start() {
    const { engine, options, width, height } = this;
    engine.withText(options, (text) => {
      this.handle = engine.makeHandle((place) =>
        engine.exports.tessera_web_tile_create(text, width, height, place),
      );
    });
    this.info = engine.replyJson();
    this.makeViews();
  }

  static inWorker(module, options, width, height) {
    return new TileEngine(new Engine(module), options, width, height);
  }

  makeViews() {
    const { buffer } = this.engine.exports.memory;
    const { input, output, byteLength, rowStride } = this.info;
    this.rows = [];
    const isTight = rowStride === this.width * 4;
    const rowCount = isTight ? 1 : this.height;
    const rowBytes = isTight ? rowStride * this.height : this.width * 4;
    for (let y = 0; y < rowCount; ++y) {
      this.rows.push(new Uint8Array(buffer, input + y * rowStride, rowBytes));
    }
    this.output = new Uint8Array(buffer, output, byteLength);
  }

  /** Writes the blocks of a tile to `out`. */
  encode(rgba, out) {
    return this.engine.replaceAfterTrap(
      () => this.encodeNow(rgba, out),
      () => this.start(),
    );
  }

  encodeNow(rgba, out) {
    if (this.rows.length === 1) {
      this.rows[0].set(rgba);
    } else {
      const rowBytes = this.width * 4;
      for (let y = 0; y < this.height; ++y) {
        this.rows[y].set(rgba.subarray(y * rowBytes, (y + 1) * rowBytes));
      }
    }
    this.engine.check(this.engine.exports.tessera_web_tile_encode(this.handle));
    if (this.output.byteLength === 0) this.makeViews(); // the memory has grown after all
    out.set(this.output);
    return out;
  }
}
