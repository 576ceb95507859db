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

  #place = ''; // where the stage stood when the trail was last in step with it
  #trace: Trace | undefined;

  constructor(private readonly stage: Stage) {
    $effect(() => {
      const { trace, step, cell } = stage;
      const place = step && cell ? placeName({ step: step.name, cell }) : '';
      if (place === this.#place && trace === this.#trace) return; // it moved because the trail did
      this.#place = place;
      this.#trace = trace;
      this.error = undefined;
      if (!trace || !step || !cell) {
        this.trail = [];
        return;
      }
      const stop = new AbortController();
      void this.#open(trace, { step: step.name, cell }, [], stop.signal);
      return () => stop.abort();
    });
  }

  /** Opens an operand: it joins the trail, and if it belongs to a step, the stage goes there too. */
  async follow(ref: Ref): Promise<void> {
    const { trace } = this.stage;
    if (!trace) return;
    const target = { node: ref.node, cell: ref.cell, gradient: ref.gradient === true };
    this.#show(await this.#open(trace, target, this.trail));
  }

  /** Back to an earlier number of the trail. */
  back(index: number): void {
    const explained = this.trail[index];
    this.trail = this.trail.slice(0, index + 1);
    this.#show(explained);
  }

  #show(explained: Explained | undefined): void {
    if (explained?.step === undefined) return;
    const place = placeOf(explained);
    if (!this.stage.trace?.find(place.step)) return; // this stage does not show that step
    this.#place = placeName(place);
    this.stage.open(place.step, place.cell);
  }

  async #open(
    trace: Trace,
    target: Target,
    before: Explained[],
    signal?: AbortSignal,
  ): Promise<Explained | undefined> {
    try {
      const explained = await explain(trace, target, signal);
      if (signal?.aborted || trace !== this.stage.trace) return undefined;
      this.error = undefined;
      this.trail = [...before, explained];
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

function placeName({ step, cell }: { step: string; cell: number[] }): string {
  return `${step}[${cell.join()}]`;
}

function explain(trace: Trace, target: Target, signal?: AbortSignal): Promise<Explained> {
  const { node, step, cell, gradient = false } = target;
  const which = node === undefined ? { step: step! } : { node };
  return trace.explain({ ...which, cell, gradient }, { signal });
}
