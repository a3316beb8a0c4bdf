// The options that calls have. One that a call does not have is refused, as it would do nothing.
import { usageError } from './errors.js';

const names = {
  create: ['workers', 'module', 'fractalModule', 'picturesModule', 'createWorker'],
  encode: [
    ...['format', 'block', 'preset', 'quality', 'profile', 'method', 'mips', 'linear', 'container'],
    ...['options', 'signal', 'onProgress'],
  ],
  decode: ['level', 'profile', 'passes', 'scale', 'raw', 'options', 'signal', 'onProgress'],
  repack: ['raw', 'profile', 'signal'],
  compare: ['block', 'signal'],
  inspect: ['level', 'raw', 'signal'],
  explain: ['signal'],
  sample: ['signal'],
  raw: ['format', 'block', 'width', 'height'],
  tileEncoder: ['width', 'height', 'format', 'block', 'preset', 'profile'],
};

const isObject = (given) => given !== null && typeof given === 'object';

/** `call` is also the name of an object among the options of a call. */
export function checkOptions(call, given) {
  if (!isObject(given)) {
    throw usageError(`The options of ${call} are an object, not ${given === null ? 'null' : `a ${typeof given}`}.`);
  }
  const known = names[call];
  const unknown = Object.keys(given).find((name) => given[name] !== undefined && !known.includes(name));
  if (unknown !== undefined) {
    const hint = known.includes('options') ? ' Options of the command go into the one that is named options.' : '';
    throw usageError(`'${unknown}' is no option of ${call}, which has ${known.join(', ')}.${hint}`);
  }
  if (given.raw !== undefined) checkOptions('raw', given.raw);
  if (given.options !== undefined && !isObject(given.options)) {
    throw usageError('The option that is named options is an object of names and values.');
  }
}
