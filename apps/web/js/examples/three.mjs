// A compressed texture for three.js, of a canvas, an ImageBitmap or an ImageData.
import * as THREE from 'three';
import { Tessera } from 'tessera-wasm';

const tessera = await Tessera.create();

/** ASTC where the graphics driver has it, else BC1. `renderer` is a THREE.WebGLRenderer. */
export async function compressedTexture(renderer, image) {
  const hasAstc = renderer.extensions.has('WEBGL_compressed_texture_astc');
  const { bytes, levels, width, height } = await tessera.encode(image, {
    ...(hasAstc ? { format: 'astc', block: '6x6' } : { format: 'bc1' }),
    preset: 'fast',
    mips: true,
    container: 'blocks',
  });
  const mipmaps = levels.map(({ width, height, byteOffset, byteLength }) => ({
    data: bytes.subarray(byteOffset, byteOffset + byteLength), width, height,
  }));
  const format = hasAstc ? THREE.RGBA_ASTC_6x6_Format : THREE.RGB_S3TC_DXT1_Format;
  const texture = new THREE.CompressedTexture(mipmaps, width, height, format);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.needsUpdate = true;
  return texture;
}
