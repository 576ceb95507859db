// A run that follows what it depends on: new inputs or new parameters, and it is computed again.
// The last answer stays on show until the next one is there; an error leaves it standing too.

import { untrack } from 'svelte';
import { asError, isAbort } from './errors';
import type { RunRequest, Session } from './sessions.svelte';
import type { Trace } from './trace';

export interface Wanted {
  session: Session;
  request: RunRequest;
}

export class LiveRun {
  trace = $state.raw<Trace>();
  error = $state.raw<Error>();
  busy = $state(false);

  #tries = $state(0);

  /** `wanted` is read inside an effect: call this while a component is being set up. */
  constructor(wanted: () => Wanted | undefined) {
    const key = $derived.by(() => this.#key(wanted()));
    $effect(() => {
      const now = key === undefined ? undefined : untrack(wanted);
      if (!now) return;
      const stop = new AbortController();
      void this.#run(now, stop.signal);
      return () => stop.abort();
    });
    $effect(() => () => void this.trace?.close());
  }

  /** What an answer depends on: the same again is not computed again. New parameters do not change an earlier moment. */
  #key(wanted: Wanted | undefined): string | undefined {
    if (!wanted) return undefined;
    const { session, request } = wanted;
    const parameters = request.at === undefined ? session.revision : 'then';
    return JSON.stringify([session.name, request, parameters, session.lives, this.#tries]);
  }

  again(): void {
    this.#tries += 1;
  }

  async #run({ session, request }: Wanted, signal: AbortSignal): Promise<void> {
    this.busy = true;
    try {
      const next = await session.trace(request, signal);
      if (signal.aborted) return await next.close();
      const old = this.trace;
      this.trace = next;
      this.error = undefined;
      this.busy = false;
      await old?.close();
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.error = asError(error);
      this.busy = false;
    }
  }
}
