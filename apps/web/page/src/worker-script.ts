// Scripts of workers. Each is fetched when the page loads, so that a worker that starts later, or that
// replaces another, needs no network.

export class WorkerScript {
  private readonly copied: Promise<string | null>;
  private copy: string | null = null;

  /** `address`: of the script, as the bundler tells it. */
  constructor(private readonly address: string) {
    this.copied = this.fetchCopy().catch(() => null);
  }

  start(name: string): Worker {
    return new Worker(this.copy ?? this.address, { type: 'module', name });
  }

  /** The address of the copy, for other workers; null where there is none. */
  async copyAddress(): Promise<string | null> {
    return this.copied;
  }

  private async fetchCopy(): Promise<string | null> {
    // The development server's scripts import others by addresses that a copy cannot use.
    if (import.meta.env.DEV) return null;
    const answer = await fetch(this.address, { cache: 'force-cache' });
    if (!answer.ok) return null;
    this.copy = URL.createObjectURL(new Blob([await answer.text()], { type: 'text/javascript' }));
    return this.copy;
  }
}
