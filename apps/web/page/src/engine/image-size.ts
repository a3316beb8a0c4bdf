// Reads the size of a picture or a texture from the first bytes of its file, so that what is too large
// for the page is refused before the browser or the library takes memory for it.

export interface Size {
  width: number;
  height: number;
}

/** Null where the type is not known or the bytes end too early. */
export function sizeFromHeader(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return astc(view) ?? ktx2(view) ?? dds(view) ?? tsf(view) ?? png(view) ?? gif(view) ?? bmp(view) ?? webp(view) ?? jpeg(view) ?? heif(view);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function tag(view: DataView, at: number, length = 4): string {
  let text = '';
  for (let i = 0; i < length; ++i) text += String.fromCharCode(view.getUint8(at + i));
  return text;
}

function astc(view: DataView): Size | null {
  if (view.getUint32(0, true) !== 0x5ca1ab13) return null;
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65536;
  return { width: uint24(7), height: uint24(10) };
}

function ktx2(view: DataView): Size | null {
  if (tag(view, 0, 7) !== '\xabKTX 20') return null;
  return { width: view.getUint32(20, true), height: view.getUint32(24, true) };
}

function dds(view: DataView): Size | null {
  if (tag(view, 0) !== 'DDS ') return null;
  return { width: view.getUint32(16, true), height: view.getUint32(12, true) };
}

function tsf(view: DataView): Size | null {
  if (tag(view, 0) !== 'TSF1') return null;
  return { width: view.getUint32(8, true), height: view.getUint32(12, true) };
}

function png(view: DataView): Size | null {
  if (tag(view, 0) !== '\x89PNG') return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): Size | null {
  if (tag(view, 0) !== 'GIF8') return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function bmp(view: DataView): Size | null {
  if (tag(view, 0, 2) !== 'BM') return null;
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

function webp(view: DataView): Size | null {
  if (tag(view, 0) !== 'RIFF' || tag(view, 8) !== 'WEBP') return null;
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65536;
  switch (tag(view, 12)) {
    case 'VP8X':
      return { width: uint24(24) + 1, height: uint24(27) + 1 };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
  }
}

/** Walks over the segments up to the one that starts a frame. */
function jpeg(view: DataView): Size | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  for (;;) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return null;
    if (marker === 0xff) {
      ++at;
      continue;
    }
    const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (startsFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
}

/** AVIF: the largest `ispe` box that lies in the header. */
function heif(view: DataView): Size | null {
  if (tag(view, 4) !== 'ftyp') return null;
  let largest: Size | null = null;
  for (let at = 8; at + 16 <= view.byteLength; ++at) {
    if (view.getUint32(at) !== 0x69737065) continue;
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
