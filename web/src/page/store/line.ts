// The page's end of a worker's queue: one request in the worker, the others wait here,
// where a request that nobody wants any more can still be taken out.

interface Waiting {
  run: () => Promise<void>;
}

export class Line {
  #waiting: Waiting[] = [];
  #busy = false;

  add<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted) return reject(aborted());
      const entry: Waiting = {
        run: async () => {
          signal?.removeEventListener('abort', leave);
          await job().then(resolve, reject);
        },
      };
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
        reject(aborted());
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(entry);
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let entry = this.#waiting.shift(); entry; entry = this.#waiting.shift()) await entry.run();
    this.#busy = false;
  }
}

function aborted(): DOMException {
  return new DOMException('no longer wanted', 'AbortError');
}
