// What each branch remembers. A search leaves no steps of the branches that it drops, so the model is made to write the
// words of a branch once more, and its state behind the last of them is looked at.

import type { Config } from '../../../shared/engine';
import { grid, type Grid } from '../../parts/grid';
import { asError, isAbort } from '../../store/errors';
import type { Session } from '../../store/sessions.svelte';
import type { Box } from './branches';

export interface Remembered {
  path: string[];
  grid: Grid;
}

export interface Asked {
  session: Session;
  inputs: Config;
  target: string; // the name of the input
  step: string;
  branches: Box[];
}

export class BranchStates {
  found = $state.raw<Remembered[]>([]);
  error = $state.raw<Error>();
  busy = $state(false);

  /** `asked` is read inside an effect: call this while a component is being set up. */
  constructor(asked: () => Asked | undefined) {
    $effect(() => {
      const now = asked();
      this.error = undefined;
      if (!now || now.branches.length === 0) {
        this.found = [];
        this.busy = false;
        return;
      }
      const stop = new AbortController();
      this.busy = true;
      this.#ask(now, stop.signal).catch((error: unknown) => {
        if (stop.signal.aborted || isAbort(error)) return;
        this.error = asError(error);
        this.busy = false;
      });
      return () => stop.abort();
    });
  }

  async #ask(
    { session, inputs, target, step, branches }: Asked,
    signal: AbortSignal,
  ): Promise<void> {
    const found: Remembered[] = [];
    for (const { path } of branches) {
      const request = { inputs: { ...inputs, [target]: path.join(' ') }, want: [step] };
      const trace = await session.trace(request, signal);
      const state = trace.step(step);
      const turn = Math.min(path.length, state.axes[0]!.size - 1); // it has read all words of the branch
      const values = trace.values(state).slice(); // they stay when the run is closed
      const layout = {
        cols: state.axes.length - 1,
        fixed: [turn, ...state.axes.slice(1).map(() => 0)],
      };
      found.push({ path, grid: grid(state, values, layout) });
      await trace.close();
    }
    if (signal.aborted) return;
    this.found = found;
    this.busy = false;
  }
}
