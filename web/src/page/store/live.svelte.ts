// A run that follows what it depends on: new inputs or new parameters, and it is computed again.
// The last answer stays on show until the next one is there; an error leaves it standing too.

import { asError, isAbort } from './errors';
import type { RunRequest, Session } from './sessions.svelte';
import { Trace } from './trace';

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
    $effect(() => {
      const now = wanted();
      if (!now) return;
      void [now.session.revision, now.session.bench.look.life, this.#tries];
      const stop = new AbortController();
      void this.#run(now, stop.signal);
      return () => stop.abort();
    });
    $effect(() => () => void this.#close(this.trace));
  }

  again(): void {
    this.#tries += 1;
  }

  async #run({ session, request }: Wanted, signal: AbortSignal): Promise<void> {
    this.busy = true;
    try {
      const next = new Trace(await session.run(request, signal), session);
      if (signal.aborted) return await this.#close(next);
      const old = this.trace;
      this.trace = next;
      this.error = undefined;
      this.busy = false;
      await this.#close(old);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.error = asError(error);
      this.busy = false;
    }
  }

  /** A run keeps its tensors in the module until it is closed. */
  async #close(trace: Trace | undefined): Promise<void> {
    const look = trace?.session?.bench.look;
    if (!trace || look?.state !== 'ready') return;
    await look.call('close', { run: trace.ran.run }).catch(() => undefined); // of an earlier life
  }
}
