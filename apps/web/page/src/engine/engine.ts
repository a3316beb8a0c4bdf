// The page's side of the engine. A crashed engine is replaced; whoever uses it is told, because the
// picture has to be loaded again.
import { WorkerClient, type CallOptions } from '../rpc';
import { WorkerScript } from '../worker-script';
import { libraryFiles } from './library-files';
import type { EngineInfo, EngineMethods } from './protocol';
import engineAddress from './engine-worker?worker&url';

const crashSentence =
  'The worker that compresses pictures has crashed and was started again.';
const startSentence = 'The worker that compresses pictures cannot be started; the next picture tries again.';
/** Workers in a row that crash before they have the library. */
const mostFailedStarts = 3;

/** One worker, which has the library as soon as `open` comes back. */
class EngineWorker {
  readonly client: WorkerClient<EngineMethods>;
  isOpen = false;
  private opening: Promise<EngineInfo> | null = null;

  constructor(worker: Worker, onCrash: (sentence: string) => void) {
    this.client = new WorkerClient<EngineMethods>(worker, crashSentence, onCrash);
  }

  /** A library that could not be opened is tried again by the next call. */
  open(): Promise<EngineInfo> {
    this.opening ??= libraryFiles()
      .then((files) => this.client.call('start', files))
      .then((info) => {
        this.isOpen = true;
        return info;
      })
      .catch((error: unknown) => {
        this.opening = null;
        throw error;
      });
    return this.opening;
  }
}

export class Engine {
  private readonly script = new WorkerScript(engineAddress);
  /** None after workers that could not be started. */
  private worker: EngineWorker | null;
  private failedStarts = 0;

  constructor(private readonly onCrash: (sentence: string) => void) {
    this.worker = this.startWorker();
  }

  open(): Promise<EngineInfo> {
    return this.currentWorker().open();
  }

  async call<K extends keyof EngineMethods>(
    method: K,
    argument: EngineMethods[K]['argument'],
    options?: CallOptions,
    buffers?: Transferable[],
  ): Promise<EngineMethods[K]['result']> {
    const worker = this.currentWorker();
    await worker.open();
    return worker.client.call(method, argument, options, buffers);
  }

  private currentWorker(): EngineWorker {
    this.worker ??= this.startWorker();
    return this.worker;
  }

  private startWorker(): EngineWorker {
    const worker = new EngineWorker(this.script.start('tessera-engine'), (sentence) => {
      this.failedStarts = worker.isOpen ? 0 : this.failedStarts + 1;
      const isGivenUp = this.failedStarts >= mostFailedStarts;
      this.worker = isGivenUp ? null : this.startWorker();
      if (isGivenUp) this.failedStarts = 0;
      this.onCrash(isGivenUp ? startSentence : sentence);
    });
    return worker;
  }
}
