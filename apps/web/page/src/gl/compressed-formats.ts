// Which compressed formats a WebGL context can draw, and their numbers.

/** In the order of their numbers in WEBGL_compressed_texture_astc, which is that of their size. */
export const astcBlocks = [
  '4x4', '5x4', '5x5', '6x5', '6x6', '8x5', '8x6',
  '8x8', '10x5', '10x6', '10x8', '10x10', '12x10', '12x12',
]; // prettier-ignore

const firstAstc = 0x93b0; // COMPRESSED_RGBA_ASTC_4x4_KHR
const firstSrgbAstc = 0x93d0; // COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR

export interface TextureKind {
  format: string;
  /** Such as `6x6`. */
  block: string;
  srgb: boolean;
}

export interface DriverFormat {
  number: number;
  extension: string;
  /** Textures have to end where a block ends. */
  wholeBlocks: boolean;
}

/** Null where the context's driver does not have the format. */
export function driverFormat(gl: WebGL2RenderingContext, kind: TextureKind): DriverFormat | null {
  if (kind.format === 'astc') {
    const index = astcBlocks.indexOf(kind.block);
    if (index < 0) return null;
    const number = (kind.srgb ? firstSrgbAstc : firstAstc) + index;
    return gl.getExtension('WEBGL_compressed_texture_astc')
      ? { number, extension: 'WEBGL_compressed_texture_astc', wholeBlocks: false }
      : null;
  }
  if (kind.format === 'bc1' && !kind.srgb) {
    const extension = gl.getExtension('WEBGL_compressed_texture_s3tc');
    return extension
      ? {
          number: extension.COMPRESSED_RGBA_S3TC_DXT1_EXT,
          extension: 'WEBGL_compressed_texture_s3tc',
          wholeBlocks: true,
        }
      : null;
  }
  return null;
}
