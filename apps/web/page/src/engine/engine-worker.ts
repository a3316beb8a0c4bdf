// The engine: a worker that holds the picture, the result and the library, so that the page itself
// never waits for pixels.
import type { Container, EncodeOptions, EncodeResult, Inspection, Tessera } from 'tessera-wasm';
import type { Comparison } from 'tessera-wasm';
import { abortError, serveCalls, Transferred, type CallContext } from '../rpc';
import { compareTexels } from './block-texels';
import { openLibrary } from './library';
import type { LibraryFiles } from './library-files';
import { hasTransparency, loadPicture } from './load-picture';
import { astcMap, bc1Map, errorMap, leafMap } from './maps';
import type {
  EngineMethods,
  Leaves,
  MapImage,
  MapKind,
  PixelBlock,
  PictureSource,
  Quality,
  ResultInfo,
  SampleSource,
  Settings,
} from './protocol';

interface EncodedPicture {
  settings: Settings;
  /** The picture that was encoded; another one may have been loaded since. */
  source: PixelBlock;
  encoded: EncodeResult;
  pixels: PixelBlock;
  comparison: Comparison;
  inspection: Inspection;
}

let files: LibraryFiles | null = null;
let picture: PixelBlock | null = null;
let lastLoad = 0;
let result: EncodedPicture | null = null;

/** A library that could not be opened is tried again by the next call. */
class OpenedLibrary {
  private opening: Promise<Tessera> | null = null;

  constructor(private readonly workers: number) {}

  get(): Promise<Tessera> {
    if (!files) throw new Error('The library has not been loaded yet.');
    this.opening ??= openLibrary(files, this.workers).catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  /** Ends its workers at once. */
  close(): void {
    this.opening?.then((tessera) => tessera.close()).catch(() => {});
    this.opening = null;
  }
}

const library = new OpenedLibrary(navigator.hardwareConcurrency);
/** The chart's own instance with one worker, so that it never stands in the way of the result. */
const chartLibrary = new OpenedLibrary(1);

function currentPicture(): PixelBlock {
  if (!picture) throw new Error('There is no picture yet.');
  return picture;
}

function currentResult(): EncodedPicture {
  if (!result) throw new Error('There is no result yet.');
  return result;
}

function optionsOf(settings: Settings): EncodeOptions {
  const { format, block, preset, quality, profile } = settings;
  if (format === 'fractal') return { format, quality };
  const effort = preset ? { preset } : { quality };
  return format === 'bc1' ? { format, profile, ...effort } : { format, block, profile, ...effort };
}

function ownBytes(data: Uint8Array | Uint8ClampedArray): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
}

function copyOf(pixels: PixelBlock): Transferred<PixelBlock> {
  const data = pixels.data.slice();
  return new Transferred({ ...pixels, data }, [data.buffer]);
}

function qualityOf(comparison: Comparison): Quality {
  const { psnrRgb, psnrRgba, ssim, maxError } = comparison;
  return { psnrRgb, psnrRgba, ssim, maxError };
}

/** A .ktx2 file tells the settings, so the other files are made of it. */
const firstContainer = (settings: Settings): Container => (settings.format === 'fractal' ? 'tsf' : 'ktx2');

/** Of fractal images errors are shown by 8x8 pixels. */
function comparedBlock(encoded: EncodeResult): string {
  return encoded.blockWidth > 0 ? `${encoded.blockWidth}x${encoded.blockHeight}` : '8x8';
}

interface Decoding {
  passes?: number;
  signal?: AbortSignal;
}

async function decodeAndCompare(
  tessera: Tessera,
  source: PixelBlock,
  encoded: EncodeResult,
  decoding: Decoding = {},
) {
  const { signal } = decoding;
  const decoded = await tessera.decode(encoded.bytes, decoding);
  const pixels = { data: ownBytes(decoded.data), width: decoded.width, height: decoded.height };
  const comparing = { block: comparedBlock(encoded), ...(signal ? { signal } : {}) };
  const comparison = await tessera.compare(source, pixels, comparing);
  return { pixels, comparison };
}

/** Of several pictures that are read at the same time the one that was asked for last is kept. */
async function load(source: PictureSource, { signal }: CallContext) {
  const number = ++lastLoad;
  const tessera = await library.get();
  const loaded = source.from === 'file' ? await loadPicture(tessera, source.blob, source.name, signal) : await makeSample(tessera, source);
  if (number !== lastLoad || signal.aborted) throw abortError();
  picture = loaded;
  result = null;
  const name = source.from === 'file' ? source.name : `sample-${source.kind}`;
  return { name, width: loaded.width, height: loaded.height, hasAlpha: hasTransparency(loaded) };
}

async function makeSample(tessera: Tessera, { kind, width, height, seed }: SampleSource): Promise<PixelBlock> {
  const made = await tessera.sample(kind, width, height, seed);
  return { data: ownBytes(made.data), width: made.width, height: made.height };
}

async function encode(settings: Settings, { signal, progress }: CallContext): Promise<ResultInfo> {
  const tessera = await library.get();
  const source = currentPicture();
  const encoded = await tessera.encode(source, {
    ...optionsOf(settings),
    container: firstContainer(settings),
    signal,
    onProgress: progress,
  });
  const { pixels, comparison } = await decodeAndCompare(tessera, source, encoded, { signal });
  const inspection = await tessera.inspect(encoded.bytes, { signal });
  if (signal.aborted) throw abortError();
  if (picture === source) result = { settings, source, encoded, pixels, comparison, inspection };
  const { x, y, psnrRgb } = comparison.worstBlock;
  const { blockWidth: width, blockHeight: height } = comparison;
  return {
    format: encoded.format,
    profile: encoded.profile,
    width: encoded.width,
    height: encoded.height,
    blockWidth: encoded.blockWidth,
    blockHeight: encoded.blockHeight,
    payloadBytes: encoded.levels[0]!.byteLength,
    bitsPerPixel: encoded.bitsPerPixel,
    seconds: encoded.seconds,
    megapixelsPerSecond: encoded.encodedPixels / encoded.seconds / 1e6,
    alphaDropped: encoded.alphaDropped,
    quality: qualityOf(comparison),
    worstBlock: { x: x * width, y: y * height, width, height, psnrRgb },
    passes: inspection.format === 'fractal' ? inspection.passes : 0,
  };
}

async function resultBlocks() {
  const { encoded } = currentResult();
  const { byteOffset, byteLength } = encoded.levels[0]!;
  const blocks = ownBytes(encoded.bytes).slice(byteOffset, byteOffset + byteLength);
  return new Transferred(blocks, [blocks.buffer]);
}

async function difference(drawn: PixelBlock) {
  const { data } = currentResult().pixels;
  if (drawn.data.length !== data.length) throw new Error('The drawn picture has another size.');
  let largest = 0;
  let differing = 0;
  for (let texel = 0; texel < data.length; texel += 4) {
    let most = 0;
    for (let i = texel; i < texel + 4; ++i) most = Math.max(most, Math.abs(data[i]! - drawn.data[i]!));
    if (most > 0) ++differing;
    largest = Math.max(largest, most);
  }
  return { texels: data.length / 4, differing, largest };
}

async function passPixels(passes: number) {
  const { encoded, source } = currentResult();
  const { pixels, comparison } = await decodeAndCompare(await library.get(), source, encoded, { passes });
  return new Transferred({ pixels, quality: qualityOf(comparison) }, [pixels.data.buffer]);
}

async function map(kind: MapKind): Promise<MapImage> {
  const { comparison, inspection, source, pixels } = currentResult();
  if (kind === 'error') return errorMap(comparison, source, pixels, hasTransparency(source));
  if (inspection.format === 'astc') return astcMap(inspection, kind);
  return inspection.format === 'bc1' ? bc1Map(inspection, kind) : leafMap(inspection);
}

async function leaves(): Promise<Leaves> {
  const { inspection } = currentResult();
  if (inspection.format !== 'fractal') throw new Error('Only fractal images have leaves.');
  const { planes, xs, ys, sides, kinds } = inspection;
  const ofLuma = (_: number, i: number) => planes[i] === 0;
  return {
    xs: xs.filter(ofLuma),
    ys: ys.filter(ofLuma),
    sides: sides.filter(ofLuma),
    kinds: kinds.filter(ofLuma),
  };
}

async function explain({ x, y }: { x: number; y: number }) {
  const { inspection, pixels, source } = currentResult();
  const explanation = await (await library.get()).explain(inspection, x, y);
  return { ...explanation, ...compareTexels(source, pixels, explanation.rect) };
}

async function file(container: Container, { signal }: CallContext) {
  const { encoded } = currentResult();
  const { bytes } = await (await library.get()).repack(encoded.bytes, container, { signal });
  const copy = ownBytes(bytes).slice();
  return new Transferred(copy, [copy.buffer]);
}

async function chartPoint(settings: Settings, { signal }: CallContext) {
  // A strip of a point that was given up would take time from the encode that follows.
  signal.addEventListener('abort', () => chartLibrary.close());
  const tessera = await chartLibrary.get();
  const source = currentPicture();
  const encoded = await tessera.encode(source, { ...optionsOf(settings), signal });
  const { comparison } = await decodeAndCompare(tessera, source, encoded, { signal });
  const label = settings.format === 'fractal' ? `quality ${settings.quality}` : settings.block;
  return { label, bitsPerPixel: encoded.bitsPerPixel, psnrRgb: comparison.psnrRgb, ssim: comparison.ssim };
}

serveCalls<EngineMethods>({
  start: async (given) => {
    files = given;
    const { version, workerCount } = await library.get();
    return { version, workers: workerCount };
  },
  load,
  sourcePixels: async () => copyOf(currentPicture()),
  encode,
  resultBlocks,
  resultPixels: async () => copyOf(currentResult().pixels),
  difference,
  passPixels,
  map,
  leaves,
  explain,
  file,
  chartPoint,
});
