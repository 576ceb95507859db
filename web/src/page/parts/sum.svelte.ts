// One number opened into the sum that made it, outside the stage: a short trail of its own, which may lead
// from one run into the other that it was compared with.

import type { Explained } from '../../shared/engine';
import { fullCell } from '../blocks/stage/sources';
import type { Ref } from '../blocks/stage/expression';
import { asError, isAbort } from '../store/errors';
import type { Question, Trace } from '../store/trace';

export interface Target {
  trace: Trace;
  question: Question;
}

export interface Opened {
  trace: Trace;
  explained: Explained;
}

// What a difference takes from another run stands in this one as an input of this name.
const ELSEWHERE = 'derived.other.';

export class Sum {
  trail = $state.raw<Opened[]>([]);
  error = $state.raw<Error>();
  readonly last = $derived(this.trail.at(-1));

  /** `target` is read inside an effect: call this while a component is being set up. */
  constructor(
    target: () => Target | undefined,
    private readonly other: () => Trace | undefined = () => undefined,
  ) {
    $effect(() => {
      const now = target();
      this.error = undefined;
      if (!now) {
        this.trail = [];
        return;
      }
      const stop = new AbortController();
      void this.#open(now, [], stop.signal);
      return () => stop.abort();
    });
  }

  /** An operand joins the trail. */
  async follow(ref: Ref): Promise<void> {
    const { last } = this;
    if (!last) return;
    await this.#open(this.#place(last.trace, ref), this.trail);
  }

  back(index: number): void {
    this.trail = this.trail.slice(0, index + 1);
  }

  #place(trace: Trace, ref: Ref): Target {
    const other = this.other();
    if (other && ref.step?.startsWith(ELSEWHERE) === true) {
      const step = ref.step.slice(ELSEWHERE.length);
      return { trace: other, question: { step, cell: fullCell(ref) } };
    }
    const { node, cell, gradient = false } = ref;
    return { trace, question: { node, cell, gradient } };
  }

  async #open({ trace, question }: Target, before: Opened[], signal?: AbortSignal): Promise<void> {
    try {
      const explained = await trace.explain(question, { signal });
      if (signal?.aborted) return;
      this.error = undefined;
      this.trail = [...before, { trace, explained }];
    } catch (error) {
      if (!signal?.aborted && !isAbort(error)) this.error = asError(error);
    }
  }
}

/** Without the mark of the other run: words and colours are those of the step itself. */
export function ownName(step: string | undefined): string | undefined {
  return step?.startsWith(ELSEWHERE) === true ? step.slice(ELSEWHERE.length) : step;
}
