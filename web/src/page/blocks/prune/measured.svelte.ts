// What the model is worth with some of its heads off: measured over many pairs, one run after the other, so that whatever
// else is asked of the engine in between does not wait long.

import type { Config } from '../../../shared/engine';
import { untrack } from 'svelte';
import { asError, isAbort } from '../../store/errors';
import type { Session } from '../../store/sessions.svelte';

export type Metrics = Record<string, number>;

export interface Asked {
  session: Session;
  inputs: Config; // but for the heads
  sets: string[]; // what is off, the most urgent first
}

export class Measured {
  /** By what was off. */
  found = $state.raw<Record<string, Metrics>>({});
  error = $state.raw<Error>();
  busy = $state(false);
  #of = '';
  #tries = $state(0);

  /** `asked` is read inside an effect: call this while a component is being set up. */
  constructor(asked: () => Asked | undefined) {
    $effect(() => {
      const now = asked();
      void this.#tries;
      this.error = undefined;
      if (!now) return;
      const stop = new AbortController();
      void untrack(() => this.#measure(now, stop.signal));
      return () => stop.abort();
    });
  }

  again(): void {
    this.#tries += 1;
  }

  async #measure({ session, inputs, sets }: Asked, signal: AbortSignal): Promise<void> {
    const of = JSON.stringify([session.name, session.revision, session.lives, inputs]);
    if (of !== this.#of) this.found = {}; // other parameters, other pairs
    this.#of = of;
    this.busy = true;
    try {
      for (const off of sets) {
        if (this.found[off] !== undefined) continue;
        const request = { inputs: { ...inputs, heads_off: off }, want: [] };
        const trace = await session.trace(request, signal);
        const { metrics = {} } = trace.ran;
        await trace.close();
        if (signal.aborted) return;
        this.found = { ...this.found, [off]: metrics };
      }
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.error = asError(error);
    }
    if (!signal.aborted) this.busy = false;
  }
}
