// BC1 blocks: two 5:6:5 colours, then sixteen indices of two bits, the top left one lowest.

const widen5 = (value) => (value << 3) | (value >> 2);
const widen6 = (value) => (value << 2) | (value >> 4);

export function widen565(color) {
  return [widen5(color >> 11), widen6((color >> 5) & 63), widen5(color & 31)];
}

const colorAt = (bytes, at) => bytes[at] | (bytes[at + 1] << 8);

/** The mode and the endpoints of every block. */
export function inspectBc1(bytes) {
  const count = bytes.length / 8;
  const modes = new Uint8Array(count);
  const endpoints = new Uint8Array(count * 6);
  for (let i = 0; i < count; ++i) {
    const first = colorAt(bytes, i * 8);
    const second = colorAt(bytes, i * 8 + 2);
    modes[i] = first > second ? 4 : 3;
    endpoints.set(widen565(first), i * 6);
    endpoints.set(widen565(second), i * 6 + 3);
  }
  return { modes, endpoints };
}

/** One block: its colours and the index of each texel. */
export function readBc1Block(bytes) {
  const first = colorAt(bytes, 0);
  const second = colorAt(bytes, 2);
  const indices = new Uint8Array(16);
  for (let i = 0; i < 16; ++i) {
    indices[i] = (bytes[4 + (i >> 2)] >> (2 * (i & 3))) & 3;
  }
  return { low: widen565(first), high: widen565(second), mode: first > second ? 4 : 3, indices };
}
