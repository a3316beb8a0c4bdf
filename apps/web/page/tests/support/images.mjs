// Pictures that the tests make themselves: PNG files from pixels and back.
import zlib, { deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function crc(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes); // from Node.js 20.15 on
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; ++bit) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc(body) >>> 0, body.length + 4);
  return framed;
}

function header(width, height) {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 6, 0, 0, 0], 8); // eight bits, RGBA
  return chunk('IHDR', data);
}

/** `rgba` has width x height x 4 bytes. */
export function encodePng(rgba, width, height) {
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; ++y) {
    Buffer.from(rgba.buffer, rgba.byteOffset + y * width * 4, width * 4).copy(rows, y * (width * 4 + 1) + 1);
  }
  return Buffer.concat([signature, header(width, height), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** A PNG that says it is large and has next to nothing in it. */
export function pngOfSize(width, height) {
  return Buffer.concat([signature, header(width, height), chunk('IDAT', deflateSync(Buffer.alloc(64))), chunk('IEND', Buffer.alloc(0))]);
}

function unfilter(rows, width, height, channels) {
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  const paeth = (a, b, c) => {
    const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  };
  for (let y = 0; y < height; ++y) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0;
      const up = y > 0 ? pixels[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * stride + x] = rows[y * (stride + 1) + 1 + x] + predicted;
    }
  }
  return pixels;
}

/** RGBA pixels of an 8-bit PNG without interlacing. */
export function decodePng(file) {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[file[25]];
  if (file[24] !== 8 || !channels) throw new Error('The test reads PNG files of 8 bits only.');
  const parts = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const pixels = unfilter(inflateSync(Buffer.concat(parts)), width, height, channels);
  const data = new Uint8Array(width * height * 4).fill(255);
  const colors = channels < 3 ? 1 : 3;
  for (let i = 0; i < width * height; ++i) {
    for (let c = 0; c < 3; ++c) data[i * 4 + c] = pixels[i * channels + (c % colors)];
    if (channels % 2 === 0) data[i * 4 + 3] = pixels[i * channels + channels - 1];
  }
  return { data, width, height };
}

/** Gradients, edges and noise, and where asked for a soft transparent corner. */
export function testPicture(width, height, { alpha = false } = {}) {
  const data = new Uint8Array(width * height * 4);
  let seed = 7;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 4294967296;
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const at = (y * width + x) * 4;
      const inside = Math.hypot(x - width / 2, y - height / 2) < height / 3;
      data[at] = inside ? 210 : (x * 255) / width;
      data[at + 1] = (y * 255) / height;
      data[at + 2] = inside ? 40 + random() * 60 : 120 + random() * 20;
      data[at + 3] = alpha ? Math.min(255, ((x + y) * 510) / (width + height)) : 255;
    }
  }
  return { data, width, height };
}

export function testPng(width, height, options) {
  return encodePng(testPicture(width, height, options).data, width, height);
}
