// Arrays of strips that have come back from workers, kept for the next picture: a browser takes six times as
// long for a new array, whose memory the system has to clear, as for filling one again.
import { allocate } from './pixels.js';

const mostBytes = 64 * 1024 * 1024;
/** Arrays that nobody has asked for in this time are given back to the system. */
const keptMilliseconds = 2000;

export class SpareArrays {
  #ofSize = new Map();
  #bytes = 0;
  #timer;

  /** An array with anything in it. */
  take(byteLength) {
    const spare = this.#ofSize.get(byteLength)?.pop();
    if (!spare) return allocate(byteLength);
    this.#bytes -= byteLength;
    return spare;
  }

  give(array) {
    if (this.#bytes + array.length > mostBytes) return;
    if (!this.#ofSize.has(array.length)) this.#ofSize.set(array.length, []);
    this.#ofSize.get(array.length).push(array);
    this.#bytes += array.length;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clear(), keptMilliseconds);
    this.#timer.unref?.(); // in Node.js, which may end meanwhile
  }

  get byteLength() {
    return this.#bytes;
  }

  clear() {
    clearTimeout(this.#timer);
    this.#ofSize.clear();
    this.#bytes = 0;
  }
}
