// A block's question to a run, followed as both change.

import type { Step } from '../../shared/engine';
import { derive, type Wanted } from './derive';
import { asError, isAbort } from './errors';

/** Follows a run and a question; the last answer stays only as long as it is the right one. */
export class Derived {
  error = $state.raw<Error>();

  #answer = $state.raw<Wanted & { step: Step }>();
  #now = $state.raw<Wanted>();

  /** `wanted` is read inside an effect: call this while a component is being set up. */
  constructor(wanted: () => Wanted | undefined) {
    $effect(() => {
      const now = wanted();
      this.#now = now;
      this.error = undefined;
      if (!now) return;
      let stale = false;
      derive(now.trace, now.what).then(
        (step) => {
          if (!stale) this.#answer = { ...now, step };
        },
        (error: unknown) => {
          if (!stale && !isAbort(error)) this.error = asError(error);
        },
      );
      return () => (stale = true);
    });
  }

  /** The answer and the run that it belongs to; nothing while a new one is on its way. */
  readonly found = $derived.by(() => {
    const answer = this.#answer;
    const now = this.#now;
    if (!answer || !now || answer.trace !== now.trace) return undefined;
    return JSON.stringify(answer.what) === JSON.stringify(now.what) ? answer : undefined;
  });
}
