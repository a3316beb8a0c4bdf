// The page's side of the engine. A crashed engine is replaced; whoever uses it is told, because the
// picture has to be loaded again.
import { WorkerClient, type CallOptions } from '../rpc';
import type { EngineMethods } from './protocol';

const crashSentence =
  'The worker that compresses pictures has crashed and was started again.';

export class Engine {
  private client: WorkerClient<EngineMethods>;

  constructor(private readonly onCrash: (sentence: string) => void) {
    this.client = this.startWorker();
  }

  call<K extends keyof EngineMethods>(
    method: K,
    argument: EngineMethods[K]['argument'],
    options?: CallOptions,
    buffers?: Transferable[],
  ): Promise<EngineMethods[K]['result']> {
    return this.client.call(method, argument, options, buffers);
  }

  private startWorker(): WorkerClient<EngineMethods> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      type: 'module',
      name: 'tessera-engine',
    });
    return new WorkerClient<EngineMethods>(worker, crashSentence, (sentence) => {
      this.client = this.startWorker();
      this.onCrash(sentence);
    });
  }
}
