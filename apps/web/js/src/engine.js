// One instance of a WebAssembly module: its memory, its calls, and texts and bytes in and out.
// Everything here works at once, on the thread that calls it.
import { errorOfModule, failedError } from './errors.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Memory that an instance may keep after a call. WebAssembly's memory never shrinks, so an
 *  instance that has grown beyond this is thrown away. */
export const mostKeptBytes = 256 * 1024 * 1024;

/** Options as the module reads them: a line "key=value" for each that is given. */
export function optionText(options) {
  let text = '';
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    const plain = value === true ? '1' : String(value);
    if (/[\n\0]/.test(plain) || /[\n\0=]/.test(key)) {
      throw errorOfModule(1, `The option ${JSON.stringify(key)} has a line break in it.`);
    }
    text += `${key}=${plain}\n`;
  }
  return text;
}

export class Engine {
  /** `onProgress` is called from within long calls. Where `instance` is not given, it is made at
   *  once, which browsers refuse on the main thread for large modules. */
  constructor(module, onProgress = () => {}, instance = undefined) {
    this.module = module;
    this.onProgress = onProgress;
    this.start(instance);
  }

  /** For the main thread. */
  static async create(module) {
    return new Engine(module, () => {}, await WebAssembly.instantiate(module, importsOf(module, () => {})));
  }

  start(instance = undefined) {
    const imports = importsOf(this.module, (fraction) => this.onProgress(fraction));
    this.exports = (instance ?? new WebAssembly.Instance(this.module, imports)).exports;
    this.exports._initialize();
    this.encoders = new Map();
  }

  get memoryBytes() {
    return this.exports.memory.buffer.byteLength;
  }

  /** Runs `action` with this engine. After a trap the instance is replaced, as its memory may be
   *  in any state. */
  guard(action) {
    try {
      return this.replaceAfterTrap(action);
    } finally {
      if (this.memoryBytes > mostKeptBytes) this.start();
      else this.exports.tessera_web_clear();
    }
  }

  /** As `guard`, but for what stays in memory between calls. `onStart` makes it again. */
  replaceAfterTrap(action, onStart = () => {}) {
    try {
      return action(this);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.start();
      onStart();
      throw failedError(`The module ran out of memory or failed, and was started again (${error.message}).`);
    }
  }

  text(pointer) {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    const start = pointer >>> 0; // addresses beyond 2 GiB come as negative numbers
    return decoder.decode(bytes.subarray(start, bytes.indexOf(0, start)));
  }

  /** Throws where a call's status says that it failed. */
  check(status) {
    if (status !== 0) throw errorOfModule(status, sentence(this.text(this.exports.tessera_web_error())));
  }

  replyJson() {
    return JSON.parse(this.text(this.exports.tessera_web_text()));
  }

  /** A copy of the reply's bytes. */
  replyBytes() {
    const start = this.exports.tessera_web_bytes();
    return this.copyOut(start, this.exports.tessera_web_byte_count());
  }

  copyOut(pointer, byteLength) {
    return new Uint8Array(this.exports.memory.buffer, pointer >>> 0, byteLength >>> 0).slice();
  }

  /** Calls `action(pointer)` with memory of so many bytes, or with that of a copy of `data`. */
  withMemory(data, action) {
    const byteLength = typeof data === 'number' ? data : data.byteLength;
    const pointer =
      byteLength < 2 ** 32 - 128 ? this.exports.tessera_web_allocate(byteLength) >>> 0 : 0;
    if (pointer === 0) {
      throw failedError(`There is not enough memory for ${byteLength} bytes.`);
    }
    try {
      if (typeof data !== 'number') {
        new Uint8Array(this.exports.memory.buffer, pointer, byteLength).set(bytesOf(data));
      }
      return action(pointer);
    } finally {
      this.exports.tessera_web_release(pointer);
    }
  }

  withText(text, action) {
    return this.withMemory(encoder.encode(`${text}\0`), action);
  }

  /** A handle that the module makes: `create(pointer)` writes it there. */
  makeHandle(create) {
    return this.withMemory(4, (place) => {
      this.check(create(place));
      return new Uint32Array(this.exports.memory.buffer, place, 1)[0];
    });
  }

  /** The encoder of these options, made at the first use; the last few are kept. */
  encoderOf(text) {
    let found = this.encoders.get(text);
    if (!found) {
      found = this.withText(text, (pointer) => {
        const handle = this.makeHandle((place) =>
          this.exports.tessera_web_encoder_create(pointer, place),
        );
        return { handle, info: this.replyJson() };
      });
      if (this.encoders.size >= 4) {
        const [oldest, { handle }] = this.encoders.entries().next().value;
        this.encoders.delete(oldest);
        this.exports.tessera_web_encoder_destroy(handle);
      }
      this.encoders.set(text, found);
    }
    return found;
  }
}

/** What the module imports: its progress, and system calls of the C library. Nothing here leads to
 *  those, apart from the one that ends the program. */
function importsOf(module, onProgress) {
  const functions = {
    tessera_progress: onProgress,
    proc_exit(code) {
      throw new WebAssembly.RuntimeError(`the module ended with code ${code}`);
    },
  };
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') continue;
    imports[from] ??= {};
    imports[from][name] = functions[name] ?? (() => 0);
  }
  return imports;
}

function bytesOf(data) {
  return new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
}

/** Messages of the library are parts of sentences, for a command that puts its name before them,
 *  and options have the command's dashes. */
function sentence(message) {
  const plain = message.replace(/(^|\s)--([a-z][a-z-]*)/g, '$1the option $2');
  const text = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
