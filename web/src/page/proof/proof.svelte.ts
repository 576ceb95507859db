// One pass over all checks: what is done, what is going on, what went wrong. It can be stopped, and begun again.

import type { Engine } from '../store/engine.svelte';
import { asError } from '../store/errors';
import { EngineError } from '../../shared/protocol';
import { CHECKS, type Bench, type Check } from './checks';
import type { Outcome } from './tally';

export interface Row {
  check: Check;
  state: 'waiting' | 'running' | 'done' | 'failed';
  outcome?: Outcome;
  error?: Error;
}

const waiting = (check: Check): Row => ({ check, state: 'waiting' });

/** Red: the numbers are farther apart than they may be, or there are none. */
export function agrees({ state, outcome, check }: Row): boolean {
  return state === 'done' && outcome !== undefined && outcome.difference <= check.tolerance;
}

export class Proof {
  rows = $state.raw<Row[]>(CHECKS.map(waiting));
  running = $state(false);
  /** The engine itself stopped: nothing more can be compared until it is started again. */
  crash = $state.raw<Error>();

  readonly finished = $derived(this.rows.filter(({ state }) => ['done', 'failed'].includes(state)));
  readonly good = $derived(this.rows.filter(agrees));
  readonly bad = $derived(this.finished.filter((row) => !agrees(row)));
  readonly numbers = $derived(
    this.rows.reduce((sum, { outcome }) => sum + (outcome?.numbers ?? 0), 0),
  );

  #stopping: AbortController | undefined;

  constructor(private readonly engine: Engine) {}

  stop(): void {
    this.#stopping?.abort();
  }

  async start(): Promise<void> {
    this.stop();
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.rows = CHECKS.map(waiting);
    this.crash = undefined;
    this.running = true;
    try {
      const bench = await this.#bench(stopping.signal);
      for (const [i, { check }] of this.rows.entries()) {
        if (stopping.signal.aborted) break;
        this.#set(i, { check, state: 'running' });
        this.#set(i, await this.#result(check, bench, stopping.signal));
      }
    } catch (error) {
      this.crash = asError(error);
    }
    if (this.#stopping === stopping) this.running = false;
  }

  /** Throws only when the engine has stopped. */
  async #result(check: Check, bench: Bench, signal: AbortSignal): Promise<Row> {
    try {
      return { check, state: 'done', outcome: await check.run(bench) };
    } catch (error) {
      if (signal.aborted) return waiting(check);
      if (error instanceof EngineError && error.type === 'Crash') throw error;
      return { check, state: 'failed', error: asError(error) };
    }
  }

  #set(i: number, row: Row): void {
    this.rows = this.rows.with(i, row);
  }

  async #bench(signal: AbortSignal): Promise<Bench> {
    const catalogue = await this.engine.ready();
    const kept: Record<string, Promise<unknown>> = {}; // several checks read one file
    const fetched = async (url: string): Promise<Response> => {
      const response = await fetch(url, { signal });
      if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
      return response;
    };
    return {
      catalogue,
      call: async (verb, request, bytes) => {
        if (verb !== 'close') signal.throwIfAborted();
        return this.engine.call(verb, request, { bytes });
      },
      json: (url) => (kept[url] ??= fetched(url).then((response) => response.json())),
      bytes: async (url) => new Uint8Array(await (await fetched(url)).arrayBuffer()),
    };
  }
}
