// The sums of a map's rows, where rows share out 1: an op of the engine, so that a sum opens like any other number.

import { Derived } from '../store/derived.svelte';
import type { Trace } from '../store/trace';
import { grid, type Grid } from './grid';
import { sharesOut } from './shares';

export interface Shown {
  trace: Trace;
  grid: Grid;
}

export class RowSums {
  readonly #derived: Derived;
  readonly #shown: () => Shown | undefined;

  /** `shown` is read inside an effect: call this while a component is being set up. */
  constructor(shown: () => Shown | undefined) {
    this.#shown = shown;
    this.#derived = new Derived(() => {
      const now = shown();
      // Of steps of the run itself: what is derived already is not among those that the engine finds by name.
      if (!now || !sharesOut(now.grid) || !now.trace.find(now.grid.step.name)) return undefined;
      return { trace: now.trace, what: { step: now.grid.step.name, sum: now.grid.cols.name } };
    });
  }

  get error(): Error | undefined {
    return this.#derived.error;
  }

  /** One column, a row for each row of the map. */
  readonly grid = $derived.by((): Grid | undefined => {
    const map = this.#shown()?.grid;
    const found = this.#derived.found;
    return map && found?.what.step === map.step.name
      ? sumsOf(map, found.step, found.trace)
      : undefined;
  });
}

/** The derived step laid out as the map is, without the axis that was summed along. */
function sumsOf(map: Grid, step: Grid['step'], trace: Trace): Grid {
  const gone = map.cols.axis!;
  const moved = (axis: number): number => (axis > gone ? axis - 1 : axis);
  const fixed = map.layout.fixed.filter((_, axis) => axis !== gone);
  const rows = map.rows.axis === undefined ? undefined : moved(map.rows.axis);
  return grid(step, trace.values(step), { rows, fixed });
}
