// Errors of the package.

const statuses = ['failed', 'usage', 'failed', 'invalid', 'failed', 'unsupported', 'failed', 'differ'];

export class TesseraError extends Error {
  constructor(status, message) {
    super(message);
    this.name = 'TesseraError';
    this.status = status;
  }
}

/** The error of a call of the module, which returned the number `status`. */
export function errorOfModule(status, message) {
  return new TesseraError(statuses[status] ?? 'failed', message);
}

export function usageError(message) {
  return new TesseraError('usage', message);
}

/** The reasons that systems and browsers give, with which a message may end, have a full stop or not. */
export function failedError(message) {
  return new TesseraError('failed', message.replace(/\.\.$/, '.'));
}

/** What a call rejects with whose signal was aborted. */
export function abortReason(signal) {
  return signal.reason ?? new DOMException('The call was given up.', 'AbortError');
}

export function throwIfAborted(signal) {
  if (signal?.aborted) throw abortReason(signal);
}

/** What goes through postMessage instead of an error. */
export function toMessage(error) {
  return error instanceof TesseraError
    ? { status: error.status, message: error.message }
    : { status: 'failed', message: `The worker failed: ${error?.message ?? error}.` };
}

export function fromMessage({ status, message }) {
  return new TesseraError(status, message);
}
