// Runs that this browser keeps, in IndexedDB: what is small and listed apart from what is large and fetched when needed.

import { createStore, delMany, getMany, keys, setMany, type UseStore } from 'idb-keyval';
import type { Scalar } from '../../shared/engine';
import type { OwnPairs } from './desk.svelte';

/** What the list shows of a run. */
export interface Kept {
  id: string;
  name: string; // '' where the page kept it by itself
  kept: number; // when, in ms
  session: string; // of the lesson
  model: string;
  recipe: Record<string, Scalar>; // the lesson's state
  pairs: string; // name of the file of pairs; '' for pasted ones
  own: boolean; // whether the pairs are the learner's own
  epoch: number;
  epochs: number;
  metrics: Record<string, number>; // of the last look at the held-out pairs
  bytes: number;
  goesOn: boolean; // with a checkpoint
}

/** What it takes to have it back. */
export interface Payload {
  weights: Uint8Array;
  checkpoint?: Uint8Array | undefined;
  checked: Checked[];
}

/** How it did on the pairs that were held out, after so many epochs. */
export interface Checked {
  epoch: number;
  metrics: Record<string, number>;
}

/** Storage is `forbidden` (private window, settings, policy), `full`, or it failed some other way. */
export class ShelfError extends Error {
  override name = 'ShelfError';
  constructor(
    readonly why: 'forbidden' | 'full' | 'broken' | 'gone',
    message: string,
  ) {
    super(message);
  }
}

const LIST = 'run.';
const LOAD = 'load.';
const PAIRS = 'pairs.';
const MOST_BY_ITSELF = 6;

export class Shelf {
  /** The newest first; nothing before the first look. */
  list = $state.raw<Kept[]>();
  error = $state.raw<Error>();

  #opened: UseStore | undefined;
  #others = channel();

  constructor() {
    this.#others?.addEventListener('message', () => void this.look());
  }

  async look(): Promise<void> {
    try {
      await this.#asking(async (store) => {
        const names = (await keys<string>(store)).filter((key) => key.startsWith(LIST));
        const found = await getMany<Kept | undefined>(names, store);
        this.list = found.flatMap((each) => each ?? []).sort((a, b) => b.kept - a.kept);
      });
      this.error = undefined;
    } catch (error) {
      this.error = error as Error;
      this.list ??= [];
    }
  }

  /** All parts or none. `own`: the pairs, the first time; they do not change while a run goes on. Of the runs that nobody
   *  named only the last few stay. */
  async keep(entry: Kept, payload: Payload, own?: OwnPairs): Promise<void> {
    const parts: [string, unknown][] = [
      [LIST + entry.id, entry],
      [LOAD + entry.id, payload],
    ];
    if (own) parts.push([PAIRS + entry.id, own]);
    await this.#asking((store) => setMany(parts, store));
    await this.#changed();
    const unnamed = (this.list ?? []).filter(({ name }) => name === '');
    await this.remove(...unnamed.slice(MOST_BY_ITSELF).map(({ id }) => id));
  }

  async fetch(id: string): Promise<Payload & { own: OwnPairs | undefined }> {
    const [payload, own] = await this.#asking((store) =>
      getMany<Payload | OwnPairs | undefined>([LOAD + id, PAIRS + id], store),
    );
    if (!payload) throw new ShelfError('gone', id);
    return { ...(payload as Payload), own: own as OwnPairs | undefined };
  }

  async remove(...ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#asking((store) =>
      delMany(
        ids.flatMap((id) => [LIST, LOAD, PAIRS].map((part) => part + id)),
        store,
      ),
    );
    await this.#changed();
  }

  async #changed(): Promise<void> {
    await this.look();
    this.#others?.postMessage('changed');
  }

  async #asking<T>(ask: (store: UseStore) => Promise<T>): Promise<T> {
    try {
      this.#opened ??= createStore('attention-lab', 'runs');
      return await ask(this.#opened);
    } catch (error) {
      this.#opened = undefined; // a connection that failed to open stays failed: the next try is a new one
      throw told(error);
    }
  }
}

function told(error: unknown): ShelfError {
  const { name, message } =
    error instanceof Error || error instanceof DOMException ? error : new Error(String(error));
  if (name === 'QuotaExceededError') return new ShelfError('full', message);
  const forbidden = ['SecurityError', 'InvalidStateError', 'ReferenceError', 'TypeError'];
  return new ShelfError(forbidden.includes(name) ? 'forbidden' : 'broken', message);
}

/** Other tabs of this site show the same list. */
function channel(): BroadcastChannel | undefined {
  return typeof BroadcastChannel === 'undefined'
    ? undefined
    : new BroadcastChannel('attention-lab.runs');
}
