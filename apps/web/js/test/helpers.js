// What the tests share: the native command, pictures for it, and a place for files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Tessera } from '../index.js';

export const command =
  process.env.TESSERA_COMMAND ??
  fileURLToPath(new URL('../../../../build/release/tessera', import.meta.url));
if (!existsSync(command)) {
  throw new Error(`The tests compare with the native command, which is not at ${command}.`);
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-web-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let lastNumber = 0;
export const newFile = (extension) => join(folder, `${++lastNumber}.${extension}`);

/** Runs the command and returns nothing; a failure throws with what it says. */
export function runNative(...args) {
  execFileSync(command, args.map(String), { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** A picture file that the command reads: an uncompressed .tga with its first row on top. */
export function writePicture({ data, width, height }) {
  const header = Buffer.alloc(18);
  header[2] = 2;
  header.writeUInt16LE(width, 12);
  header.writeUInt16LE(height, 14);
  header[16] = 32;
  header[17] = 0x28;
  const pixels = Buffer.from(data);
  for (let i = 0; i < pixels.length; i += 4) {
    [pixels[i], pixels[i + 2]] = [pixels[i + 2], pixels[i]];
  }
  const path = newFile('tga');
  writeFileSync(path, Buffer.concat([header, pixels]));
  return path;
}

/** The pixels of a .tga file that the command wrote, as RGBA. */
export function readPicture(path) {
  const bytes = readFileSync(path);
  const width = bytes.readUInt16LE(12);
  const height = bytes.readUInt16LE(14);
  const channels = bytes[16] / 8;
  const isTopDown = (bytes[17] & 0x20) !== 0;
  const start = 18 + bytes[0];
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; ++y) {
    const row = isTopDown ? y : height - 1 - y;
    for (let x = 0; x < width; ++x) {
      const from = start + (row * width + x) * channels;
      const to = (y * width + x) * 4;
      const [b, g, r, a] =
        channels === 1
          ? [bytes[from], bytes[from], bytes[from], 255]
          : [bytes[from], bytes[from + 1], bytes[from + 2], channels === 4 ? bytes[from + 3] : 255];
      data.set([r, g, b, a], to);
    }
  }
  return { data, width, height };
}

/** What the command makes of a picture. */
export function encodeNatively(picture, container, ...args) {
  const output = newFile(container);
  runNative('encode', writePicture(picture), '-o', output, '--quiet', ...args);
  return new Uint8Array(readFileSync(output));
}

export function decodeNatively(bytes, container, ...args) {
  const input = newFile(container);
  const output = newFile('tga');
  writeFileSync(input, bytes);
  runNative('decode', input, '-o', output, '--quiet', ...args);
  return readPicture(output);
}

/** The place of the first difference, or -1: quicker to read than two long arrays. */
export function firstDifference(a, b) {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  return a.findIndex((value, i) => value !== b[i]);
}

const opened = [];
after(() => opened.forEach((tessera) => tessera.close()));

/** A Tessera that is closed when the test file ends. */
export async function openTessera(options = { workers: 2 }) {
  const tessera = await Tessera.create(options);
  opened.push(tessera);
  return tessera;
}

/** A picture with all kinds of alpha: transparent, opaque and between. */
export function pictureWithAlpha(width, height) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const alpha = 160 + 200 * Math.sin(x / 9) * Math.cos(y / 7);
      data.set([x * 3, y * 5, (x * y) & 255, alpha], (y * width + x) * 4);
    }
  }
  return { data, width, height };
}
