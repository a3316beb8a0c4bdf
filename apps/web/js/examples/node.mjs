// Compresses a picture in Node.js, writes it as a .ktx2 file and tells how good it is.
//   node node.mjs
import { writeFile } from 'node:fs/promises';
import { Tessera } from 'tessera-wasm';

const tessera = await Tessera.create();
const picture = await tessera.sample('photo', 768, 512); // or { data, width, height } of your own

const { bytes, seconds, bitsPerPixel } = await tessera.encode(picture, {
  format: 'astc',
  block: '6x6',
  preset: 'fast',
  mips: true,
});
await writeFile('sample.ktx2', bytes);

const decoded = await tessera.decode(bytes);
const { psnrRgb } = await tessera.compare(picture, decoded);
console.log(`${bytes.length} bytes, ${bitsPerPixel.toFixed(2)} bits a pixel, ${psnrRgb.toFixed(2)} dB, ${seconds.toFixed(3)} s`);
tessera.close();
