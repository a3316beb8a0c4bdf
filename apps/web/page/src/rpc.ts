// Calls from a page to a worker: typed methods, progress, cancelling, and errors as sentences.

/** What both `Worker` and a worker's own global object offer. */
interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
}

interface CallMessage {
  id: number;
  method: string;
  argument: unknown;
}

interface AbortMessage {
  abort: number;
}

interface Failure {
  name: string;
  message: string;
}

type Reply =
  | { id: number; progress: number }
  | { id: number; value: unknown }
  | { id: number; failure: Failure };

export interface CallContext {
  signal: AbortSignal;
  progress: (fraction: number) => void;
}

/** Methods of a worker, by name: argument and result. */
export type Methods = Record<string, { argument: unknown; result: unknown }>;

export type Handlers<M extends Methods> = {
  [K in keyof M]: (
    argument: M[K]['argument'],
    context: CallContext,
  ) => Promise<M[K]['result'] | Transferred<M[K]['result']>>;
};

/** A result whose buffers move to the caller instead of being copied. */
export class Transferred<T> {
  constructor(
    readonly value: T,
    readonly buffers: Transferable[],
  ) {}
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: (fraction: number) => void;
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

export function abortError(): Error {
  return namedError({ name: 'AbortError', message: 'The call was given up.' });
}

/** The sentence of an error, for people. */
export function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** In a worker: answers calls with `handlers`. */
export function serveCalls<M extends Methods>(handlers: Handlers<M>): void {
  const port = self as unknown as Port & { onmessage: (event: MessageEvent) => void };
  const running = new Map<number, AbortController>();
  const reply = (message: Reply, buffers: Transferable[] = []) => port.postMessage(message, buffers);

  const answer = async ({ id, method, argument }: CallMessage) => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const handler = handlers[method];
      if (!handler) throw new Error(`This worker does not know the call '${method}'.`);
      const result = await handler(argument, {
        signal: abort.signal,
        progress: (progress) => reply({ id, progress }),
      });
      if (result instanceof Transferred) reply({ id, value: result.value }, result.buffers);
      else reply({ id, value: result });
    } catch (error) {
      const name = error instanceof Error ? error.name : 'Error';
      reply({ id, failure: { name, message: sentenceOf(error) } });
    } finally {
      running.delete(id);
    }
  };

  port.onmessage = (event: MessageEvent<CallMessage | AbortMessage>) => {
    if ('abort' in event.data) running.get(event.data.abort)?.abort();
    else void answer(event.data);
  };
}

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  onProgress: ((fraction: number) => void) | undefined;
}

function namedError(failure: Failure): Error {
  const error = new Error(failure.message);
  error.name = failure.name;
  return error;
}

/** On the page: a worker whose methods can be called. `onCrash` is told once, after all calls that
 *  were under way have been rejected with the same sentence. */
export class WorkerClient<M extends Methods> {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private ended: Error | null = null;

  constructor(worker: Worker, crashSentence: string, onCrash: (sentence: string) => void) {
    this.worker = worker;
    worker.onmessage = (event: MessageEvent<Reply>) => this.receive(event.data);
    const crash = (event: Event) => {
      event.preventDefault();
      if (this.ended) return;
      this.end(new Error(crashSentence));
      onCrash(crashSentence);
    };
    worker.onerror = crash;
    worker.onmessageerror = crash;
  }

  call<K extends keyof M & string>(
    method: K,
    argument: M[K]['argument'],
    options: CallOptions = {},
    buffers: Transferable[] = [],
  ): Promise<M[K]['result']> {
    const { signal, onProgress } = options;
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.ended);
      if (signal?.aborted) return reject(abortError());
      const id = this.nextId++;
      const abort = () => this.worker.postMessage({ abort: id });
      const settle = () => {
        this.pending.delete(id);
        signal?.removeEventListener('abort', abort);
      };
      this.pending.set(id, {
        resolve: (value) => {
          settle();
          resolve(value as M[K]['result']);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
        onProgress,
      });
      signal?.addEventListener('abort', abort);
      this.worker.postMessage({ id, method, argument }, buffers);
    });
  }

  /** Ends the worker; calls that are under way are rejected with `error`. */
  end(error: Error): void {
    this.ended = error;
    this.worker.terminate();
    for (const call of [...this.pending.values()]) call.reject(error);
  }

  private receive(reply: Reply): void {
    const call = this.pending.get(reply.id);
    if (!call) return;
    if ('progress' in reply) call.onProgress?.(reply.progress);
    else if ('failure' in reply) call.reject(namedError(reply.failure));
    else call.resolve(reply.value);
  }
}
