// Work that takes longer than it is asked for: one at a time, and of what is asked meanwhile the last.

export class LatestOnly<Value> {
  private waiting: { value: Value } | null = null;
  private isBusy = false;

  /** `act` tells its failures itself. */
  constructor(private readonly act: (value: Value) => Promise<void>) {}

  /** Returns whether a value that waited is left out because of this one. */
  ask(value: Value): boolean {
    const isReplacing = this.waiting !== null;
    this.waiting = { value };
    if (!this.isBusy) void this.work();
    return isReplacing;
  }

  /** What waits is no longer wanted. */
  forget(): void {
    this.waiting = null;
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    while (this.waiting) {
      const { value } = this.waiting;
      this.waiting = null;
      await this.act(value);
    }
    this.isBusy = false;
  }
}
