// A worker and the word it is asked for. A worker that dies owes an answer to whoever waits.

import { wrap, type Remote } from 'comlink';
import { EngineError, type WorkerApi } from '../../shared/protocol';
import { asError } from './errors';

export class Link {
  #remote: Remote<WorkerApi>;
  #dead: EngineError | undefined;
  #fail: ((error: EngineError) => void) | undefined;

  constructor(
    private readonly worker: Worker,
    private readonly onDeath: () => void,
  ) {
    this.#remote = wrap<WorkerApi>(worker);
    worker.addEventListener('error', (event) =>
      this.die(event.message || 'the worker did not load'),
    );
    worker.addEventListener('messageerror', () => this.die('a message could not be read'));
  }

  /** A worker that the browser ends (no memory, a task manager) sends no event, but its locks are free then. */
  diesWith(lock: string): void {
    if (!('locks' in navigator)) return;
    navigator.locks
      .request(lock, () => this.die('the browser has ended the worker'))
      .catch(() => undefined); // locks are forbidden here
  }

  /** One at a time: the line in front of it sees to that. */
  ask<T>(question: (remote: Remote<WorkerApi>) => Promise<T>): Promise<T> {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise<T>((resolve, reject) => {
      this.#fail = reject;
      question(this.#remote).then(resolve, (error: unknown) => {
        reject(asError(error));
      });
    });
  }

  die(reason: string, why: EngineError['reason'] = {}): void {
    if (this.#dead) return;
    this.#dead = new EngineError('Crash', reason, why);
    this.worker.terminate();
    this.#fail?.(this.#dead);
    this.onDeath();
  }
}
