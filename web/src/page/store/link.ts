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

  die(reason: string): void {
    if (this.#dead) return;
    this.#dead = new EngineError('Crash', reason);
    this.worker.terminate();
    this.#fail?.(this.#dead);
    this.onDeath();
  }
}
