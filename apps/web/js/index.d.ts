/** Tessera in WebAssembly: ASTC, BC1 and fractal images in browsers and Node.js (18 or newer). */

// Arrays of results own their buffers. Since TypeScript 5.7 their types say so, as `ImageData`, `Blob` and
// `fetch` want them to; before, types of arrays had no parameter that could say it.
type Bytes = ReturnType<Uint8ArrayConstructor['of']>;
type ClampedBytes = ReturnType<Uint8ClampedArrayConstructor['of']>;
type Shorts = ReturnType<Uint16ArrayConstructor['of']>;
type Words = ReturnType<Uint32ArrayConstructor['of']>;
type Floats = ReturnType<Float32ArrayConstructor['of']>;

// Programs of Node.js have no types of browsers, so what is taken is described by what is used of it.

/** As `ImageBitmap`. */
export interface BitmapLike {
  readonly width: number;
  readonly height: number;
  close(): void;
}

/** As `AbortSignal`. */
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason?: any;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** As `Worker` of browsers and of `node:worker_threads`. */
export interface WorkerLike {
  postMessage(message: any, transfer: any): void;
  terminate(): unknown;
}

/** An address, the bytes of a module, or a compiled `WebAssembly.Module`. In Node.js a text without a
 *  protocol is the path of a file, from the current folder. */
export type ModuleSource = string | { readonly href: string } | ArrayBuffer | ArrayBufferView | object;

/** Four 8-bit channels a pixel, rows without gaps. `ImageData` is one of these. */
export interface Pixels {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

/** What `encode` and `compare` take. An `ImageBitmap` is read through an `OffscreenCanvas`; where it has
 *  transparent pixels and was made with `premultiplyAlpha: 'none'`, through WebGL 2, which keeps their
 *  colours. */
export type ImageSource = Pixels | BitmapLike;

export interface CallOptions {
  /** Gives up the call, which rejects with the signal's reason: an `AbortError`, a `TimeoutError` of
   *  `AbortSignal.timeout`, or what `abort` was called with. */
  signal?: SignalLike;
}

export type Format = 'astc' | 'bc1' | 'fractal';
export type Preset = 'realtime' | 'fast' | 'medium' | 'thorough' | 'exhaustive';
export type Profile = 'ldr' | 'srgb';
/** `blocks`: the bare blocks of all levels, the largest level first, without any header. */
export type Container = 'astc' | 'ktx2' | 'dds' | 'tsf' | 'blocks';
/** Pictures that the library makes. */
export type SampleKind = 'photo' | 'interface' | 'sprite' | 'normal-map' | 'noise' | 'constant';

export interface TesseraOptions {
  /** How many workers; the default is the number of processors, at most 8. */
  workers?: number;
  /** The main module (ASTC, BC1): an address, its bytes, or a compiled module. The default is the
   *  file of this package. */
  module?: ModuleSource;
  /** The module of fractal images, which is loaded when it is first needed. */
  fractalModule?: ModuleSource;
  /** The module of `compare` and `sample`, which is loaded when it is first needed. */
  picturesModule?: ModuleSource;
  /** Makes a worker; the default starts `worker.js` of this package as a module. */
  createWorker?: () => WorkerLike;
}

export interface EncodeOptions extends CallOptions {
  /** The default is `astc`. */
  format?: Format;
  /** Of ASTC: `4x4` to `12x12`; the default is `6x6`. BC1 has `4x4`; fractal images have none. */
  block?: string;
  /** Of ASTC and BC1; the default is `medium`. */
  preset?: Preset;
  /** 0 to 100. Of ASTC: instead of a preset. Of fractal images: the default is 50, from 1 on. */
  quality?: number;
  /** How the texture will be read: `srgb`, through the curve of sRGB, as colours are, or `ldr`, as plain
   *  numbers. The default is `srgb` for .ktx2 files and bare ASTC blocks of pictures that are not `linear`,
   *  else `ldr`. The pixels are encoded as they are, and mip levels of `ldr` average them as they are. */
  profile?: Profile;
  /** Of BC1, instead of the preset's: how blocks are fitted, one of `bounds`, `farthest`, `luma`, `range`,
   *  `starts`, `cluster` and `lspiro`. */
  method?: string;
  /** All mip levels. They are averaged as light unless `linear` says otherwise. */
  mips?: boolean;
  /** Samples are linear light, or no light at all, as those of normal maps and masks: mip levels average
   *  them as they are. */
  linear?: boolean;
  /** The default is `ktx2` for ASTC, `dds` for BC1, `tsf` for fractal images. */
  container?: Container;
  /** Further options by the names of the command's long options, such as `{as: 'normal'}`,
   *  `{'channel-weights': '3,6,1'}` or, for fractal images, `{bpp: 0.5}`. */
  options?: Record<string, string | number | boolean>;
  /** The part that is done, 0 to 1, never falling. */
  onProgress?: (fraction: number) => void;
}

/** A mip level and where its payload lies in the file. */
export interface Level {
  width: number;
  height: number;
  byteOffset: number;
  byteLength: number;
}

export interface EncodeResult {
  /** The file, or the bare blocks with `container: 'blocks'`. */
  bytes: Bytes;
  format: Format;
  container: Container;
  profile: Profile;
  width: number;
  height: number;
  /** 0 for fractal images, which have blocks of many sizes. */
  blockWidth: number;
  blockHeight: number;
  /** The largest first. `bytes.subarray(byteOffset, byteOffset + byteLength)` is what
   *  `gl.compressedTexImage2D` takes. Of fractal images the whole file. */
  levels: Level[];
  /** Time from the call to the result. */
  seconds: number;
  /** Time that all workers together spent encoding. */
  workerSeconds: number;
  /** Pixels of all levels. */
  encodedPixels: number;
  /** Bits of the largest level's payload for each pixel. */
  bitsPerPixel: number;
  /** The picture has transparent pixels, which the format cannot keep. */
  alphaDropped: boolean;
}

/** What raw blocks are, where there is no container that says it. */
export interface RawBlocks {
  format: 'astc' | 'bc1';
  block?: string;
  width: number;
  height: number;
}

export interface DecodeOptions extends CallOptions {
  /** Mip level; 0, the default, is the largest. */
  level?: number;
  /** The default is what the file says, or `ldr`. */
  profile?: Profile;
  /** Of fractal images: passes of the decoder, 0 to 64; the default is what the file says. Each
   *  number gives the picture after that many passes. */
  passes?: number;
  /** Of fractal images: 2 decodes at twice the size. */
  scale?: 1 | 2;
  /** For bytes without a container. */
  raw?: RawBlocks;
  /** Further options by the names of the command's, such as `{'decode-mode': 'unorm8'}`. */
  options?: Record<string, string | number | boolean>;
  onProgress?: (fraction: number) => void;
}

export interface FileInfo {
  format: Format;
  container: Container;
  /** `hdr` where a file of another program says so; its colours are cut to 0 to 255. */
  profile: Profile | 'hdr';
  width: number;
  height: number;
  /** 0 for fractal images. */
  blockWidth: number;
  blockHeight: number;
  levels: Level[];
}

export interface DecodeResult {
  /** RGBA, rows without gaps. `new ImageData(data, width, height)` takes it. */
  data: ClampedBytes;
  /** Of the level that was decoded. */
  width: number;
  height: number;
  info: FileInfo;
  seconds: number;
}

export interface RepackOptions extends CallOptions {
  /** For bytes without a container. */
  raw?: RawBlocks;
  /** The default is what the file says, or `ldr`. */
  profile?: Profile;
}

export interface RepackResult {
  bytes: Bytes;
  info: FileInfo;
}

export interface CompareOptions extends CallOptions {
  /** Blocks of the heat map and of the worst block, such as `6x6`; the default is `4x4`. */
  block?: string;
}

/** How far two pictures of one size are apart. */
export interface Comparison {
  /** Decibels; `Infinity` where nothing differs. */
  psnrRgb: number;
  psnrRgba: number;
  /** Errors of colours count by the reference's alpha. */
  psnrAlphaWeighted: number;
  /** Of luma, -1 to 1. */
  ssim: number;
  /** The largest difference of any sample, 0 to 255. */
  maxError: number;
  /** In blocks, with the block's own PSNR. */
  worstBlock: { x: number; y: number; psnrRgb: number };
  blockWidth: number;
  blockHeight: number;
  blocksAcross: number;
  blocksDown: number;
  /** Of each block, row by row: the sum of the squared differences of red, green and blue, in
   *  8-bit steps, over the pixels of the block that lie in the picture. */
  blockSquaredErrors: Floats;
}

export interface InspectOptions extends CallOptions {
  /** Which mip level the facts are of; the default is 0. */
  level?: number;
  /** For bytes without a container. */
  raw?: RawBlocks;
}

interface BlockInspection {
  info: FileInfo;
  /** What was inspected; `explain` reads the block from it. */
  bytes: Bytes;
  level: number;
  /** Of the level. */
  width: number;
  height: number;
  blocksAcross: number;
  blocksDown: number;
}

/** One entry a block, row by row. */
export interface AstcInspection extends BlockInspection {
  format: 'astc';
  /** 0: with weights; 1: void extent, that is, one colour; 2: illegal. */
  kinds: Bytes;
  /** 1 to 4; 0 for void extents and illegal blocks, as in the arrays that follow. */
  partitions: Bytes;
  /** 1 or 2 planes of weights. */
  planes: Bytes;
  /** Channel of the second plane, 0 to 3; 255 where there is none. */
  secondPlaneChannels: Bytes;
  /** Four entries a block, one a partition: the endpoint mode's number, 0 to 15; 255 for none. */
  endpointModes: Bytes;
  gridWidths: Bytes;
  gridHeights: Bytes;
  /** Levels of a weight and of a colour value: 2 to 32, and 2 to 256. */
  weightLevels: Bytes;
  colorLevels: Shorts;
}

export interface Bc1Inspection extends BlockInspection {
  format: 'bc1';
  /** 4: four colours; 3: three colours and a transparent black. */
  modes: Bytes;
  /** Six entries a block: red, green, blue of both endpoints, widened to 8 bits. */
  endpoints: Bytes;
}

/** One entry a leaf of the quadtrees. Positions and sides are in pixels of the picture. */
export interface FractalInspection {
  format: 'fractal';
  info: FileInfo;
  bytes: Bytes;
  width: number;
  height: number;
  /** 1 (grey) or 3 (luma and two colour differences, which may have half the resolution). */
  planeCount: number;
  coder: 'tessera' | 'paper';
  quality: number;
  /** Passes that the file asks the decoder for. */
  passes: number;
  leafCount: number;
  /** Which plane a leaf is of: 0 is luma. */
  planes: Bytes;
  xs: Words;
  ys: Words;
  sides: Words;
  /** 0: flat; 1: fractal; 2: cosine transform. */
  kinds: Bytes;
  /** Of fractal leaves, as all that follow: the square that the leaf is a copy of. */
  domainXs: Words;
  domainYs: Words;
  domainSides: Words;
  /** Which of the 8 turns and mirrors, see `isometryNames`. */
  isometries: Bytes;
  /** What the domain's differences from its mean are multiplied by. */
  contrasts: Floats;
  /** Of all leaves: the mean, 0 to 255. */
  brightnesses: Floats;
}

export type Inspection = AstcInspection | Bc1Inspection | FractalInspection;

/** One block (or leaf) in words and numbers. */
export interface Explanation {
  /** The block in pixels of the level; it may reach over the picture's edge. */
  rect: { x: number; y: number; width: number; height: number };
  /** Whole sentences, the most important one first. */
  sentences: string[];
  /** Names and values for a table, in order. */
  facts: Array<{ name: string; value: string }>;
  /** Of textures: the endpoints of each partition, RGBA. Empty for fractal leaves. */
  endpoints: Array<{ low: [number, number, number, number]; high: [number, number, number, number] }>;
  /** Of textures: for each texel of the block its partition (ASTC) or index (BC1). */
  texels: Bytes;
  /** Of ASTC: for each texel its weight between the endpoints, 0 to 64; empty where there are none. */
  weights: Bytes;
  /** The same of the second plane. */
  secondWeights: Bytes;
  /** Of fractal leaves: the domain, in pixels. */
  domain?: { x: number; y: number; width: number; height: number };
}

export interface TileEncoderOptions {
  /** Of every tile. */
  width: number;
  height: number;
  format?: 'astc' | 'bc1';
  /** As in `EncodeOptions`. */
  block?: string;
  /** The default is `realtime`. */
  preset?: Preset;
  profile?: Profile;
}

export interface TileResult<Rgba> {
  rgba: Rgba;
  blocks: Bytes;
  seconds: number;
}

/** Encodes tiles of one size as they come. All memory is taken at its creation. */
export interface TileEncoder {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Bytes of a tile's blocks. */
  readonly byteLength: number;
  /** Memory of the instance that works on the calling thread; it does not grow. */
  readonly memoryBytes: number;
  /** Encodes on the calling thread. `rgba` has width x height x 4 bytes. The blocks are written to
   *  `out`, or to an array of the encoder's own that the next call overwrites. */
  encode(rgba: Uint8Array | Uint8ClampedArray, out?: undefined): Bytes;
  encode<Out extends Uint8Array>(rgba: Uint8Array | Uint8ClampedArray, out: Out): Out;
  /** Encodes in a worker. The buffer of `rgba` is transferred there, and comes back in the result
   *  together with the blocks; `out` is transferred likewise. Both must own their whole buffers. Where
   *  the call rejects after it has sent them, such as when a worker crashes, they are gone. */
  encodeInWorker(rgba: Uint8ClampedArray, out?: Uint8Array): Promise<TileResult<ClampedBytes>>;
  encodeInWorker(rgba: Uint8Array, out?: Uint8Array): Promise<TileResult<Bytes>>;
  /** Tiles that are in workers come to their end. */
  close(): void;
}

/** `usage`: the request makes no sense; `invalid`: a file breaks the rules of its type; `failed`:
 *  something went wrong, such as too little memory or a crashed worker; `unsupported`: a valid
 *  request that this build cannot serve; `differ`: two pictures cannot be compared. */
export type TesseraStatus = 'usage' | 'invalid' | 'failed' | 'unsupported' | 'differ';

export class TesseraError extends Error {
  constructor(status: TesseraStatus, message: string);
  readonly name: 'TesseraError';
  readonly status: TesseraStatus;
}

export class Tessera {
  private constructor();
  /** Loads the main module, compiles it once and starts a worker; the others are started when there is
   *  work for them. */
  static create(options?: TesseraOptions): Promise<Tessera>;
  readonly version: string;
  readonly workerCount: number;

  /** Rejects with a `TesseraError`, with the reason of `signal`, or with what `onProgress` throws. The
   *  same holds for the other calls. The pixels are copied when the call is made. Options that a call
   *  does not have are errors. */
  encode(image: ImageSource, options?: EncodeOptions): Promise<EncodeResult>;
  decode(bytes: Uint8Array | ArrayBuffer, options?: DecodeOptions): Promise<DecodeResult>;
  /** The same blocks in another container. A `.ktx2` file written by it does not say the settings of
   *  the encoder, unless it was one. */
  repack(bytes: Uint8Array | ArrayBuffer, container: Container, options?: RepackOptions): Promise<RepackResult>;
  compare(reference: ImageSource, test: ImageSource, options?: CompareOptions): Promise<Comparison>;
  inspect(bytes: Uint8Array | ArrayBuffer, options?: InspectOptions): Promise<Inspection>;
  /** The block, or the leaf of the luma plane, that holds the pixel (x, y). */
  explain(inspection: Inspection, x: number, y: number, options?: CallOptions): Promise<Explanation>;
  /** A picture made by the library. */
  sample(
    kind: SampleKind,
    width: number,
    height: number,
    seed?: number,
    options?: CallOptions,
  ): Promise<{ data: ClampedBytes; width: number; height: number }>;
  tileEncoder(options: TileEncoderOptions): Promise<TileEncoder>;
  /** Ends the workers. Calls that are under way reject. */
  close(): void;
}

/** Names of the 8 isometries of fractal leaves. */
export const isometryNames: readonly string[];
/** Names of the 16 endpoint modes of ASTC. */
export const endpointModeNames: readonly string[];
