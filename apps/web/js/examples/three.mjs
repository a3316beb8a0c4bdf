// A compressed texture for three.js, of an ImageData, an ImageBitmap or { data, width, height }.
import * as THREE from 'three';
import { Tessera } from 'tessera-wasm';

const tessera = await Tessera.create();

/** ASTC where the driver of a THREE.WebGLRenderer has it, else BC1 for sides that are multiples of 4, else null: use a THREE.Texture. */
export async function compressedTexture({ extensions }, image) {
  const hasAstc = extensions.has('WEBGL_compressed_texture_astc');
  const hasFours = image.width % 4 === 0 && image.height % 4 === 0;
  if (!hasAstc && !(hasFours && extensions.has('WEBGL_compressed_texture_s3tc_srgb'))) return null;
  const options = hasAstc ? { format: 'astc', block: '6x6', profile: 'srgb' } : { format: 'bc1' };
  const encoded = await tessera.encode(image, { ...options, preset: 'fast', mips: true, container: 'blocks' });
  const mipmaps = encoded.levels.map(({ width, height, byteOffset, byteLength }) => (
    { width, height, data: encoded.bytes.subarray(byteOffset, byteOffset + byteLength) }));
  const format = hasAstc ? THREE.RGBA_ASTC_6x6_Format : THREE.RGB_S3TC_DXT1_Format;
  const texture = new THREE.CompressedTexture(mipmaps, encoded.width, encoded.height, format);
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  return Object.assign(texture, { colorSpace: THREE.SRGBColorSpace, needsUpdate: true });
}

/** Compressed textures cannot be turned as others are (flipY): their first row is the lowest one. This turns what is drawn of one. */
export const upright = (texture) => (texture.repeat.set(1, -1), texture.offset.set(0, 1), texture);
