// A compressed texture for three.js, of an ImageData, an ImageBitmap or { data, width, height }.
import * as THREE from 'three';
import { Tessera } from 'tessera-wasm';

const tessera = await Tessera.create();

/** ASTC where the graphics driver has it, else BC1. `renderer` is a THREE.WebGLRenderer. */
export async function compressedTexture(renderer, image) {
  const hasAstc = renderer.extensions.has('WEBGL_compressed_texture_astc');
  const options = hasAstc ? { format: 'astc', block: '6x6', profile: 'srgb' } : { format: 'bc1' };
  const encoded = await tessera.encode(image, { ...options, preset: 'fast', mips: true, container: 'blocks' });
  const mipmaps = encoded.levels.map(({ width, height, byteOffset, byteLength }) => (
    { width, height, data: encoded.bytes.subarray(byteOffset, byteOffset + byteLength) }));
  const format = hasAstc ? THREE.RGBA_ASTC_6x6_Format : THREE.RGB_S3TC_DXT1_Format;
  const texture = new THREE.CompressedTexture(mipmaps, encoded.width, encoded.height, format);
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  return Object.assign(texture, { colorSpace: THREE.SRGBColorSpace, needsUpdate: true });
}
