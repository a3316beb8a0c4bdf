// How tasks come to workers, with workers that do what the tests tell them.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { describe, test } from 'node:test';
import { listenToWorker, processorCount } from '../src/platform.js';
import { WorkerPool } from '../src/pool.js';

/** As a worker of Node.js. It keeps its tasks until it is told to answer the oldest one. */
class TestWorker extends EventEmitter {
  tasks = [];
  isRef = true;
  isEnded = false;
  ref() {
    this.isRef = true;
  }
  unref() {
    this.isRef = false;
  }
  terminate() {
    this.isEnded = true;
    this.emit('ended');
  }
  postMessage(message, transfer) {
    if (transfer?.includes('unsendable')) throw new Error('It cannot be sent.');
    if (message.id) this.tasks.push(message);
  }
  answer(reply = { result: {} }) {
    const { id, task } = reply.progress === undefined ? this.tasks.shift() : this.tasks[0];
    this.emit('message', { id, ...reply });
    return task;
  }
}

function makePool(count) {
  const workers = [];
  const make = () => workers[workers.push(new TestWorker()) - 1];
  return { pool: new WorkerPool(count, make, {}), workers };
}

const strip = { isStrip: true };
const later = () => new Promise((resolve) => setTimeout(resolve));

describe('workers', () => {
  test('a task that needs an idle worker does not wait for strips that come after it', async () => {
    const { pool, workers } = makePool(1);
    const running = [pool.run('a', {}, strip), pool.run('b', {}, strip), pool.run('explain', {}), pool.run('c', {}, strip)];
    const done = [];
    while (done.length < 4) done.push(workers[0].answer());
    assert.deepEqual(done, ['a', 'b', 'explain', 'c']);
    await Promise.all(running);
  });

  test('strips go on when the task that they wait behind is given up', async () => {
    const { pool, workers } = makePool(1);
    const controller = new AbortController();
    const first = pool.run('a', {}, strip);
    const explaining = assert.rejects(pool.run('explain', {}, { signal: controller.signal }), { name: 'AbortError' });
    const second = pool.run('b', {}, strip);
    controller.abort();
    assert.deepEqual(workers[0].tasks.map(({ task }) => task), ['a', 'b']);
    workers[0].answer();
    workers[0].answer();
    await Promise.all([first, second, explaining]);
  });

  test('a task that cannot be sent leaves its worker idle, and programs may end', async () => {
    const { pool, workers } = makePool(1);
    await assert.rejects(pool.run('a', {}, { transfer: ['unsendable'] }), /cannot be given its task: It cannot be sent\.$/);
    assert.equal(workers[0].isRef, false);
    const running = pool.run('b', {});
    assert.equal(workers[0].isRef, true);
    workers[0].answer();
    await running;
    assert.equal(workers[0].isRef, false);
  });

  test('what onProgress throws is what the call rejects with', async () => {
    const { pool, workers } = makePool(1);
    const error = new Error('of the caller');
    const onProgress = () => {
      throw error;
    };
    const rejected = assert.rejects(pool.run('a', {}, { onProgress }), error);
    workers[0].answer({ progress: 0.5 });
    await rejected;
    assert.equal(workers[0].isEnded, true);
    const running = pool.run('b', {});
    assert.equal(workers[1].answer(), 'b');
    await running;
  });

  test('a message that cannot be read is a crash', async () => {
    const { pool, workers } = makePool(1);
    const rejected = assert.rejects(pool.run('a', {}), /a message could not be read/);
    workers[0].emit('messageerror', new Error());
    await rejected;
    assert.equal(workers[0].isEnded, true);
    const crashes = [];
    const ofBrowser = {};
    listenToWorker(ofBrowser, () => {}, (reason) => crashes.push(reason));
    ofBrowser.onmessageerror();
    assert.equal(crashes.length, 1);
  });

  test('a call rejects with the reason of its signal', async () => {
    const { pool } = makePool(1);
    const reason = new Error('of the caller');
    await assert.rejects(pool.run('a', {}, { signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    const running = pool.run('a', {}, { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(running, reason);
    const plain = { aborted: true, addEventListener() {}, removeEventListener() {} };
    await assert.rejects(pool.run('a', {}, { signal: plain }), { name: 'AbortError' });
  });

  test('a strip that was given up is stopped as soon as nobody else waits for its worker', { timeout: 120_000 }, async () => {
    const { pool, workers } = makePool(1);
    const controller = new AbortController();
    const other = pool.run('a', {}, strip);
    const given = assert.rejects(pool.run('b', {}, { ...strip, signal: controller.signal }), { name: 'AbortError' });
    controller.abort();
    await given;
    const waiting = pool.run('c', {}, strip);
    await new Promise((resolve) => setTimeout(resolve, 300)); // it has been looked at by now
    assert.equal(workers[0].isEnded, false);
    const ended = new Promise((resolve) => workers[0].on('ended', resolve));
    const alive = setInterval(() => {}, 1000); // the timer of the pool does not keep the program
    workers[0].answer();
    await other;
    await later();
    assert.deepEqual(workers[0].tasks.map(({ task }) => task), ['b'], 'nothing is sent behind it');
    await ended;
    clearInterval(alive);
    assert.equal(workers[1].answer(), 'c');
    await waiting;
  });

  test('there is a worker where the system lists no processors', async () => {
    const { cpus } = os;
    os.cpus = () => [];
    syncBuiltinESMExports();
    try {
      assert.equal(await processorCount(), 1);
    } finally {
      os.cpus = cpus;
      syncBuiltinESMExports();
    }
  });
});
