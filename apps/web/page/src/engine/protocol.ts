// What the page asks its engine, the worker that owns the picture, the result and the library.
import type { Container, Explanation, Format, Preset, Profile, SampleKind } from 'tessera-wasm';
import type { LibraryFiles } from './library-files';

export interface Settings {
  format: Format;
  block: string;
  /** Null where the quality decides. */
  preset: Preset | null;
  quality: number;
  profile: Profile;
}

export interface SampleSource {
  from: 'sample';
  kind: SampleKind;
  width: number;
  height: number;
  seed: number;
}

/** Where a picture comes from; enough to load it again after a crash. */
export type PictureSource = { from: 'file'; blob: Blob; name: string } | SampleSource;

export interface PictureInfo {
  name: string;
  width: number;
  height: number;
  hasAlpha: boolean;
}

export interface Quality {
  psnrRgb: number;
  psnrRgba: number;
  ssim: number;
  maxError: number;
}

export interface ResultInfo {
  format: Format;
  profile: Profile;
  width: number;
  height: number;
  /** 0 for fractal images. */
  blockWidth: number;
  blockHeight: number;
  payloadBytes: number;
  bitsPerPixel: number;
  seconds: number;
  megapixelsPerSecond: number;
  alphaDropped: boolean;
  quality: Quality;
  worstBlock: { x: number; y: number; width: number; height: number; psnrRgb: number };
  /** Of fractal images: passes of the decoder; else 0. */
  passes: number;
}

export interface PixelBlock {
  data: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
}

export type MapKind =
  | 'error'
  | 'partitions'
  | 'planes'
  | 'endpoints'
  | 'grid'
  | 'contrast'
  | 'colors'
  | 'leaves';

export interface LegendEntry {
  color: string;
  label: string;
  /** Part of all blocks, 0 to 1; null where it says nothing (scales). */
  share: number | null;
}

/** A picture with one pixel for each cell of `cellWidth` x `cellHeight` texels. */
export interface MapImage {
  pixels: PixelBlock;
  cellWidth: number;
  cellHeight: number;
  legend: LegendEntry[];
  /** One sentence about what is shown. */
  caption: string;
}

/** Leaves of the luma plane of a fractal image, one entry each. */
export interface Leaves {
  xs: Uint32Array;
  ys: Uint32Array;
  sides: Uint32Array;
  kinds: Uint8Array;
}

export interface ChartPoint {
  label: string;
  bitsPerPixel: number;
  psnrRgb: number;
  ssim: number;
}

/** A block in words and numbers, with its texels before and after. */
export interface ExplainedBlock extends Explanation {
  /** RGBA, only what lies in the picture. */
  original: PixelBlock;
  result: PixelBlock;
  psnrRgb: number;
  maxError: number;
}

export interface EngineInfo {
  version: string;
  workers: number;
}

export type EngineMethods = {
  /** Comes before all others. */
  start: { argument: LibraryFiles; result: EngineInfo };
  load: { argument: PictureSource; result: PictureInfo };
  sourcePixels: { argument: null; result: PixelBlock };
  encode: { argument: Settings; result: ResultInfo };
  /** The blocks of the result, for a texture. */
  resultBlocks: { argument: null; result: Uint8Array<ArrayBuffer> };
  resultPixels: { argument: null; result: PixelBlock };
  /** How far these pixels are from what the library decodes. */
  difference: { argument: PixelBlock; result: { texels: number; differing: number; largest: number } };
  passPixels: { argument: number; result: { pixels: PixelBlock; quality: Quality } };
  map: { argument: MapKind; result: MapImage };
  leaves: { argument: null; result: Leaves };
  explain: { argument: { x: number; y: number }; result: ExplainedBlock };
  file: { argument: Container; result: Uint8Array<ArrayBuffer> };
  chartPoint: { argument: Settings; result: ChartPoint };
};
