// The trail through a run's numbers: a cell, the sum that made it, one of its operands, and so on
// down to the inputs and the weights.

import type { Explained } from '../../../shared/engine';
import { asError, isAbort } from '../../store/errors';
import type { Trace } from '../../store/trace';
import type { Ref } from './expression';
import type { Stage } from './stage.svelte';

interface Target {
  node?: number;
  step?: string;
  cell: number[]; // of a step: with its turn; of a node: without
  gradient?: boolean;
}

export class Inspector {
  trail = $state.raw<Explained[]>([]);
  error = $state.raw<Error>();
  readonly last = $derived(this.trail.at(-1));

  constructor(private readonly stage: Stage) {
    $effect(() => {
      const { trace, step, cell } = stage;
      if (!trace || !step || !cell) {
        this.trail = [];
        return;
      }
      if (this.#standsAt(trace, step.name, cell)) return;
      const stop = new AbortController();
      void this.#open(trace, { step: step.name, cell }, 0, stop.signal);
      return () => stop.abort();
    });
  }

  #shownFor: Trace | undefined;

  /** The stage's cell is the last named one of the trail: it moved because the trail did. */
  #standsAt(trace: Trace, step: string, cell: number[]): boolean {
    const named = this.trail.findLast((explained) => explained.step !== undefined);
    return (
      this.#shownFor === trace && named !== undefined && sameCell(placeOf(named), { step, cell })
    );
  }

  /** Opens an operand: it joins the trail, and if it belongs to a step, the stage goes there too. */
  async follow(ref: Ref): Promise<void> {
    const { trace } = this.stage;
    if (!trace) return;
    const target = { node: ref.node, cell: ref.cell, gradient: ref.gradient === true };
    this.#show(await this.#open(trace, target, this.trail.length));
  }

  /** Back to an earlier number of the trail. */
  back(index: number): void {
    const explained = this.trail[index];
    this.trail = this.trail.slice(0, index + 1);
    this.#show(explained);
  }

  #show(explained: Explained | undefined): void {
    if (explained?.step === undefined) return;
    const { step, cell } = placeOf(explained);
    this.stage.open(step, cell);
  }

  async #open(
    trace: Trace,
    target: Target,
    depth: number,
    signal?: AbortSignal,
  ): Promise<Explained | undefined> {
    try {
      const explained = await explain(trace, target, signal);
      if (signal?.aborted || trace !== this.stage.trace) return undefined;
      this.error = undefined;
      this.#shownFor = trace;
      this.trail = [...this.trail.slice(0, depth), explained];
      return explained;
    } catch (error) {
      if (!isAbort(error) && trace === this.stage.trace) this.error = asError(error);
      return undefined;
    }
  }
}

/** Where a named cell stands in its step, turn first if a loop made it. */
export function placeOf(explained: Explained): { step: string; cell: number[] } {
  const { step = '', time, cell } = explained;
  return { step, cell: time === undefined ? cell : [time, ...cell] };
}

function sameCell(
  a: { step: string; cell: number[] },
  b: { step: string; cell: number[] },
): boolean {
  return a.step === b.step && a.cell.join() === b.cell.join();
}

async function explain(trace: Trace, target: Target, signal?: AbortSignal): Promise<Explained> {
  const { node, step, cell, gradient = false } = target;
  const which = node === undefined ? { step: step! } : { node };
  const { head } = await trace.session!.bench.look.call(
    'explain',
    { run: trace.ran.run, ...which, cell, gradient },
    { signal },
  );
  return head;
}
