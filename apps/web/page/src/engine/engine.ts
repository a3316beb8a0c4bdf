// The page's side of the engine. A crashed engine is replaced; whoever uses it is told, because the
// picture has to be loaded again.
import { WorkerClient, type CallOptions } from '../rpc';
import { WorkerScript } from '../worker-script';
import { libraryFiles } from './library-files';
import type { EngineInfo, EngineMethods } from './protocol';
import engineAddress from './worker?worker&url';

const crashSentence =
  'The worker that compresses pictures has crashed and was started again.';

/** One worker, which has the library as soon as `open` comes back. */
class EngineWorker {
  readonly client: WorkerClient<EngineMethods>;
  private opening: Promise<EngineInfo> | null = null;

  constructor(worker: Worker, onCrash: (sentence: string) => void) {
    this.client = new WorkerClient<EngineMethods>(worker, crashSentence, onCrash);
  }

  /** A library that could not be opened is tried again by the next call. */
  open(): Promise<EngineInfo> {
    this.opening ??= libraryFiles()
      .then((files) => this.client.call('start', files))
      .catch((error: unknown) => {
        this.opening = null;
        throw error;
      });
    return this.opening;
  }
}

export class Engine {
  private readonly script = new WorkerScript(engineAddress);
  private worker: EngineWorker;

  constructor(private readonly onCrash: (sentence: string) => void) {
    this.worker = this.startWorker();
  }

  open(): Promise<EngineInfo> {
    return this.worker.open();
  }

  async call<K extends keyof EngineMethods>(
    method: K,
    argument: EngineMethods[K]['argument'],
    options?: CallOptions,
    buffers?: Transferable[],
  ): Promise<EngineMethods[K]['result']> {
    const { worker } = this;
    await worker.open();
    return worker.client.call(method, argument, options, buffers);
  }

  private startWorker(): EngineWorker {
    return new EngineWorker(this.script.start('tessera-engine'), (sentence) => {
      this.worker = this.startWorker();
      this.onCrash(sentence);
    });
  }
}
