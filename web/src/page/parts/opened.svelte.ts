// A trail through a run's numbers that needs no stage: a cell, the sum that made it, one of its operands, and so on.

import type { Explained } from '../../shared/engine';
import { asError, isAbort } from '../store/errors';
import type { Trace } from '../store/trace';

/** A cell: of a step (its turn first) or of a node (without). */
export interface Target {
  step?: string;
  node?: number;
  cell: number[];
  gradient?: boolean;
}

export class Trail {
  steps = $state.raw<Explained[]>([]);
  error = $state.raw<Error>();
  readonly last = $derived(this.steps.at(-1));

  #trace: Trace | undefined;

  /** `opened` is read inside an effect: call this while a component is being set up. */
  constructor(opened: () => { trace: Trace | undefined; open: Target | undefined }) {
    $effect(() => {
      const { trace, open } = opened();
      this.#trace = trace;
      this.error = undefined;
      if (!trace || !open) {
        this.steps = [];
        return;
      }
      const stop = new AbortController();
      void this.#ask(trace, open, [], stop.signal);
      return () => stop.abort();
    });
  }

  /** An operand joins the trail. */
  async follow(target: Target): Promise<void> {
    if (this.#trace) await this.#ask(this.#trace, target, this.steps);
  }

  /** Back to an earlier number. */
  back(index: number): void {
    this.steps = this.steps.slice(0, index + 1);
  }

  async #ask(
    trace: Trace,
    { step, node, cell, gradient = false }: Target,
    before: Explained[],
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      const which = node === undefined ? { step: step ?? '' } : { node };
      const explained = await trace.explain({ ...which, cell, gradient }, { signal });
      if (signal?.aborted || trace !== this.#trace) return;
      this.error = undefined;
      this.steps = [...before, explained];
    } catch (error) {
      if (!isAbort(error) && trace === this.#trace && signal?.aborted !== true)
        this.error = asError(error);
    }
  }
}

/** What a link remembers of an open cell: whose it is (`map`, `sum`, `mean` …) and which, as `sum:2,0`. */
export function writeOpen(whose: string, cell: number[]): string {
  return `${whose}:${cell.join(',')}`;
}

export function readOpen(text: string): { whose: string; cell: number[] } | undefined {
  const [, whose, cell] = /^([a-z]+):(\d+(?:,\d+)*)?$/.exec(text) ?? [];
  return whose === undefined ? undefined : { whose, cell: cell?.split(',').map(Number) ?? [] };
}
