/** Tessera in WebAssembly: ASTC, BC1 and fractal images in browsers and Node.js (18 or newer). */

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
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** As `Worker` of browsers and of `node:worker_threads`. */
export interface WorkerLike {
  postMessage(message: any, transfer: any): void;
  terminate(): unknown;
}

/** An address, the bytes of a module, or a compiled `WebAssembly.Module`. */
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

export interface EncodeOptions {
  /** The default is `astc`. */
  format?: Format;
  /** Of ASTC: `4x4` to `12x12`; the default is `6x6`. BC1 has `4x4`; fractal images have none. */
  block?: string;
  /** Of ASTC and BC1; the default is `medium`. */
  preset?: Preset;
  /** 0 to 100. Of ASTC: instead of a preset. Of fractal images: the default is 50, from 1 on. */
  quality?: number;
  /** The default is `ldr`. `srgb` is of ASTC alone and needs no change of the pixels. */
  profile?: Profile;
  /** Of BC1: a method such as `bounds` or `cluster`, instead of the preset's. */
  method?: string;
  /** All mip levels. They are averaged as light unless `linear` says otherwise. */
  mips?: boolean;
  /** Samples are linear light, or no light at all. */
  linear?: boolean;
  /** The default is `ktx2` for ASTC, `dds` for BC1, `tsf` for fractal images. */
  container?: Container;
  /** Further options by the names of the command's long options, such as
   *  `{'channel-weights': '3,6,1'}` or, for fractal images, `{bpp: 0.5}`. */
  options?: Record<string, string | number | boolean>;
  /** Gives up the call, which rejects with an `AbortError`. */
  signal?: SignalLike;
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
  bytes: Uint8Array;
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

export interface DecodeOptions {
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
  signal?: SignalLike;
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
  data: Uint8ClampedArray;
  /** Of the level that was decoded. */
  width: number;
  height: number;
  info: FileInfo;
  seconds: number;
}

export interface RepackOptions {
  /** For bytes without a container. */
  raw?: RawBlocks;
  /** The default is what the file says, or `ldr`. */
  profile?: Profile;
  signal?: SignalLike;
}

export interface RepackResult {
  bytes: Uint8Array;
  info: FileInfo;
}

export interface CompareOptions {
  /** Blocks of the heat map and of the worst block, such as `6x6`; the default is `4x4`. */
  block?: string;
  signal?: SignalLike;
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
  blockSquaredErrors: Float32Array;
}

export interface InspectOptions {
  /** Which mip level the facts are of; the default is 0. */
  level?: number;
  /** For bytes without a container. */
  raw?: RawBlocks;
}

interface BlockInspection {
  info: FileInfo;
  /** What was inspected; `explain` reads the block from it. */
  bytes: Uint8Array;
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
  kinds: Uint8Array;
  /** 1 to 4; 0 for void extents and illegal blocks, as in the arrays that follow. */
  partitions: Uint8Array;
  /** 1 or 2 planes of weights. */
  planes: Uint8Array;
  /** Channel of the second plane, 0 to 3; 255 where there is none. */
  secondPlaneChannels: Uint8Array;
  /** Four entries a block, one a partition: the endpoint mode's number, 0 to 15; 255 for none. */
  endpointModes: Uint8Array;
  gridWidths: Uint8Array;
  gridHeights: Uint8Array;
  /** Levels of a weight and of a colour value: 2 to 32, and 2 to 256. */
  weightLevels: Uint8Array;
  colorLevels: Uint16Array;
}

export interface Bc1Inspection extends BlockInspection {
  format: 'bc1';
  /** 4: four colours; 3: three colours and a transparent black. */
  modes: Uint8Array;
  /** Six entries a block: red, green, blue of both endpoints, widened to 8 bits. */
  endpoints: Uint8Array;
}

/** One entry a leaf of the quadtrees. Positions and sides are in pixels of the picture. */
export interface FractalInspection {
  format: 'fractal';
  info: FileInfo;
  bytes: Uint8Array;
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
  planes: Uint8Array;
  xs: Uint32Array;
  ys: Uint32Array;
  sides: Uint32Array;
  /** 0: flat; 1: fractal; 2: cosine transform. */
  kinds: Uint8Array;
  /** Of fractal leaves, as all that follow: the square that the leaf is a copy of. */
  domainXs: Uint32Array;
  domainYs: Uint32Array;
  domainSides: Uint32Array;
  /** Which of the 8 turns and mirrors, see `isometryNames`. */
  isometries: Uint8Array;
  /** What the domain's differences from its mean are multiplied by. */
  contrasts: Float32Array;
  /** Of all leaves: the mean, 0 to 255. */
  brightnesses: Float32Array;
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
  texels: Uint8Array;
  /** Of ASTC: for each texel its weight between the endpoints, 0 to 64; empty where there are none. */
  weights: Uint8Array;
  /** The same of the second plane. */
  secondWeights: Uint8Array;
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
  encode(rgba: Uint8Array | Uint8ClampedArray, out?: Uint8Array): Uint8Array;
  /** Encodes in a worker. The buffer of `rgba` is transferred there, and comes back in the result
   *  together with the blocks; `out` is transferred likewise. Both must own their whole buffers. */
  encodeInWorker(
    rgba: Uint8ClampedArray,
    out?: Uint8Array,
  ): Promise<{ rgba: Uint8ClampedArray; blocks: Uint8Array; seconds: number }>;
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
  /** Loads the module, compiles it once and starts the workers. */
  static create(options?: TesseraOptions): Promise<Tessera>;
  readonly version: string;
  readonly workerCount: number;

  /** Rejects with a `TesseraError`, or with an `AbortError` when `signal` says so. The same holds
   *  for the other calls. The pixels are copied when the call is made. */
  encode(image: ImageSource, options?: EncodeOptions): Promise<EncodeResult>;
  decode(bytes: Uint8Array | ArrayBuffer, options?: DecodeOptions): Promise<DecodeResult>;
  /** The same blocks in another container. A `.ktx2` file written by it does not say the settings of
   *  the encoder, unless it was one. */
  repack(bytes: Uint8Array | ArrayBuffer, container: Container, options?: RepackOptions): Promise<RepackResult>;
  compare(reference: ImageSource, test: ImageSource, options?: CompareOptions): Promise<Comparison>;
  inspect(bytes: Uint8Array | ArrayBuffer, options?: InspectOptions): Promise<Inspection>;
  /** The block, or the leaf of the luma plane, that holds the pixel (x, y). */
  explain(inspection: Inspection, x: number, y: number): Promise<Explanation>;
  /** A picture made by the library. */
  sample(kind: SampleKind, width: number, height: number, seed?: number): Promise<{
    data: Uint8ClampedArray;
    width: number;
    height: number;
  }>;
  tileEncoder(options: TileEncoderOptions): Promise<TileEncoder>;
  /** Ends the workers. Calls that are under way reject. */
  close(): void;
}

/** Names of the 8 isometries of fractal leaves. */
export const isometryNames: readonly string[];
/** Names of the 16 endpoint modes of ASTC. */
export const endpointModeNames: readonly string[];
