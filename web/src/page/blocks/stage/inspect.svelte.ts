// The trail through a run's numbers: a cell, the sum that made it, one of its operands, and so on
// down to the inputs and the weights.

import type { Explained, Step } from '../../../shared/engine';
import { asError, isAbort } from '../../store/errors';
import type { Question, Trace } from '../../store/trace';
import type { Ref } from './expression';
import type { Stage } from './stage.svelte';

export class Inspector {
  trail = $state.raw<Explained[]>([]);
  error = $state.raw<Error>();
  readonly last = $derived(this.trail.at(-1));

  #place = ''; // where the stage stood when the trail was last in step with it
  #trace: Trace | undefined;
  #asking: AbortController | undefined;

  constructor(private readonly stage: Stage) {
    $effect(() => {
      const { trace, step, cell, gradient } = stage;
      const place = step && cell ? placeName({ step: step.name, cell, gradient }) : '';
      const same = place === this.#place;
      if (same && trace === this.#trace) return; // it moved because the trail did
      this.#place = place;
      this.#trace = trace;
      this.#asking?.abort();
      this.error = undefined;
      if (!trace || !step || !cell) {
        this.trail = [];
        return;
      }
      const { signal } = (this.#asking = new AbortController());
      const here = { step: step.name, cell, gradient };
      if (same && this.trail.length > 1) void this.#again(trace, here, signal);
      else void this.#open(trace, here, [], signal);
    });
    $effect(() => () => this.#asking?.abort());
  }

  /** Opens an operand: it joins the trail, and if it belongs to a step, the stage goes there too. */
  async follow(ref: Ref): Promise<void> {
    const { trace } = this.stage;
    if (!trace) return;
    const target = { node: ref.node, cell: ref.cell, gradient: ref.gradient === true };
    this.#show(await this.#open(trace, target, this.trail));
  }

  /** A number that the page had derived from the run, such as the sum of a row. */
  async openDerived(step: Step, cell: number[]): Promise<void> {
    const { trace } = this.stage;
    if (trace) await this.#open(trace, { node: step.nodes[0]!, cell }, []);
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
    this.stage.open(place.step, place.cell, place.gradient);
  }

  async #open(
    trace: Trace,
    target: Question,
    before: Explained[],
    signal?: AbortSignal,
  ): Promise<Explained | undefined> {
    try {
      const explained = await trace.explain(target, { signal });
      if (signal?.aborted || trace !== this.stage.trace) return undefined;
      this.error = undefined;
      this.trail = [...before, explained];
      return explained;
    } catch (error) {
      if (!isAbort(error) && trace === this.stage.trace) this.error = asError(error);
      return undefined;
    }
  }

  /** The same numbers in a new run (a weight was edited, training went on). If the run is another one altogether, the
   *  trail begins anew where the stage stands. */
  async #again(trace: Trace, here: Question, signal: AbortSignal): Promise<void> {
    const before = this.trail;
    try {
      const all = before.map(({ node, cell, gradient }) =>
        trace.explain({ node, cell, gradient }, { signal }),
      );
      const trail = await Promise.all(all);
      if (signal.aborted || trace !== this.stage.trace) return;
      const same = trail.every(
        (each, i) => each.step === before[i]!.step && each.op === before[i]!.op,
      );
      if (same) this.trail = trail;
      else await this.#open(trace, here, [], signal);
    } catch (error) {
      if (!isAbort(error)) await this.#open(trace, here, [], signal);
    }
  }
}

interface CellPlace {
  step: string;
  cell: number[];
  gradient: boolean;
}

/** Where a named cell stands in its step, turn first if a loop made it. */
export function placeOf({ step = '', time, cell, gradient }: Explained): CellPlace {
  return { step, cell: time === undefined ? cell : [time, ...cell], gradient };
}

/** `∂decoder.weights[2,0,0,1]` */
export function placeName({ step, cell, gradient }: CellPlace): string {
  return `${gradient ? '∂' : ''}${step}[${cell.join()}]`;
}
