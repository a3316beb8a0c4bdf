// A number of workers and a queue. A worker that crashes, or that must stop in the middle of a
// task, is replaced when there is work for it.
import { abortReason, failedError, fromMessage } from './errors.js';
import { keepAlive, listenToWorker } from './platform.js';
import { SpareArrays } from './spare.js';

// A worker that is still at a task so long after the call was given up is stopped.
const graceMilliseconds = 100;

/** A place for a worker, and what it has been sent. */
class Slot {
  constructor() {
    this.worker = null;
    this.jobs = new Map();
  }

  /** Strips wait behind strips, so that the worker goes on at once, but not behind one that was given
   *  up, as the worker may be stopped; other tasks wait for a worker that has nothing to do. */
  hasRoomFor(job) {
    if (this.jobs.size === 0) return true;
    const isFit = (other) => other.isStrip && !other.isAbandoned;
    return job.isStrip && this.jobs.size < 2 && [...this.jobs.values()].every(isFit);
  }
}

export class WorkerPool {
  constructor(count, makeWorker, modules) {
    this.makeWorker = makeWorker;
    this.modules = modules; // that every worker gets
    this.slots = Array.from({ length: count }, () => new Slot());
    this.queue = [];
    this.plans = new Map(); // of encoders for sizes of pictures, by both (encode.js)
    this.spare = new SpareArrays();
    this.lastId = 0;
    this.isClosed = false;
  }

  /** Runs a task in some worker; `module` is the one that the task needs. */
  run(task, args, options = {}) {
    const { transfer = [], signal, onProgress, module = 'blocks', isStrip = false } = options;
    if (this.isClosed) return Promise.reject(failedError('Tessera has been closed.'));
    if (signal?.aborted) return Promise.reject(abortReason(signal));
    return new Promise((resolve, reject) => {
      const job = { id: ++this.lastId, task, args, transfer, module, isStrip, onProgress, signal };
      job.finish = (settle, value) => {
        signal?.removeEventListener('abort', job.abort);
        settle(value);
      };
      job.resolve = (value) => job.finish(resolve, value);
      job.reject = (error) => job.finish(reject, error);
      job.abort = () => this.abandon(job);
      signal?.addEventListener('abort', job.abort);
      this.queue.push(job);
      this.dispatch();
    });
  }

  /** Gives every worker one more module. */
  addModule(name, module) {
    this.modules[name] = module;
    for (const slot of this.slots) slot.worker?.postMessage({ load: { [name]: module } });
  }

  /** Sends a message to every worker that runs. */
  tellAll(message) {
    for (const slot of this.slots) slot.worker?.postMessage(message);
  }

  /** Gives tasks to workers. While a task waits for a worker that has nothing to do, strips that came
   *  after it wait, too, or there would be no such worker before the last strip. */
  dispatch() {
    let mustEmpty = false;
    for (let i = 0; i < this.queue.length; ) {
      const job = this.queue[i];
      const slot = this.slots
        .filter(({ jobs }) => jobs.size === 0 || !mustEmpty)
        .filter((candidate) => candidate.hasRoomFor(job))
        .sort((a, b) => a.jobs.size - b.jobs.size)[0];
      if (slot) {
        this.queue.splice(i, 1);
        this.send(slot, job);
      } else {
        mustEmpty ||= !job.isStrip;
        ++i; // a job of another kind may still find a place
      }
    }
  }

  send(slot, job) {
    try {
      slot.worker ??= this.startWorker(slot);
      slot.jobs.set(job.id, job);
      job.slot = slot;
      keepAlive(slot.worker, true);
      const { id, task, module, args } = job;
      slot.worker.postMessage({ id, task, module, args }, job.transfer);
    } catch (error) {
      slot.jobs.delete(job.id);
      if (slot.worker && slot.jobs.size === 0) keepAlive(slot.worker, false);
      job.reject(failedError(`A worker cannot be given its task: ${error.message}.`));
    }
  }

  startWorker(slot) {
    const worker = this.makeWorker();
    listenToWorker(
      worker,
      (message) => slot.worker === worker && this.receive(slot, message),
      (reason) => slot.worker === worker && this.crash(slot, reason),
    );
    worker.postMessage({ load: this.modules });
    return worker;
  }

  receive(slot, { id, result, error, progress }) {
    const job = slot.jobs.get(id);
    if (!job) return;
    if (progress !== undefined) {
      if (!job.isAbandoned) this.reportProgress(slot, job, progress);
      return;
    }
    slot.jobs.delete(id);
    if (slot.jobs.size === 0) keepAlive(slot.worker, false);
    if (!job.isAbandoned) {
      if (error) job.reject(fromMessage(error));
      else job.resolve(result);
    }
    this.dispatch();
  }

  /** Where the caller's function throws, the call rejects with what it threw. Tasks that tell their
   *  progress are no strips, so the worker has nothing else to do and is stopped. */
  reportProgress(slot, job, progress) {
    try {
      job.onProgress?.(progress);
    } catch (error) {
      this.stop(slot);
      job.reject(error);
      this.dispatch();
    }
  }

  /** The worker is gone; so is what it was given. */
  crash(slot, reason) {
    const jobs = [...slot.jobs.values()];
    this.stop(slot);
    for (const job of jobs) {
      if (!job.isAbandoned) {
        job.reject(failedError(`A worker crashed and is replaced: ${reason}.`));
      }
    }
    this.dispatch();
  }

  stop(slot) {
    const { worker } = slot;
    slot.worker = null;
    slot.jobs.clear();
    worker?.terminate();
  }

  /** The caller has given the job up. */
  abandon(job) {
    job.reject(abortReason(job.signal));
    const place = this.queue.indexOf(job);
    if (place >= 0) {
      this.queue.splice(place, 1);
      if (!job.isStrip) this.dispatch(); // strips may have waited behind it
      return;
    }
    if (!job.slot?.jobs.has(job.id)) return;
    job.isAbandoned = true;
    this.stopSoon(job);
  }

  /** Stops the worker of a job that was given up, if it is still at it after a while and at nothing
   *  that others wait for: strips of theirs come to their end soon. */
  stopSoon(job) {
    const { slot } = job;
    const timer = setTimeout(() => {
      if (slot.jobs.get(job.id) !== job) return;
      if ([...slot.jobs.values()].some((other) => !other.isAbandoned)) {
        this.stopSoon(job);
        return;
      }
      this.stop(slot);
      this.dispatch();
    }, graceMilliseconds);
    timer.unref?.();
  }

  close() {
    this.isClosed = true;
    this.spare.clear();
    const jobs = this.queue.concat(this.slots.flatMap((slot) => [...slot.jobs.values()]));
    this.queue = [];
    for (const slot of this.slots) this.stop(slot);
    for (const job of jobs) if (!job.isAbandoned) job.reject(failedError('Tessera has been closed.'));
  }
}
