// Which two axes of the step at hand the map shows, and where its other axes stand.

import type { Step } from '../../../shared/engine';
import { gridOf, place, usualLayout, wideAxes, type Grid } from '../../parts/grid';
import { isStacked } from '../../store/trace';
import type { Stage } from './stage.svelte';
import { topColumns } from './top';

export class Layout {
  everyColumn = $state(false);
  /** Rows and columns that the reader chose instead of the usual ones, by step. */
  #chosen = $state<Record<string, { rows?: number; cols?: number }>>({});
  /** Where the axes stand that are neither rows nor columns (a head, a hidden unit), by step. */
  #fixed = $state<Record<string, number[]>>({});

  readonly grid = $derived.by(() => this.#grid());
  readonly selected = $derived.by(() => {
    const { cell } = this.stage;
    return this.grid && cell && place(this.grid, cell);
  });
  readonly currentRow = $derived.by(() =>
    this.grid?.rows.axis === 0 && this.stage.time !== undefined && isStacked(this.grid.step)
      ? this.grid.rows.indices.indexOf(this.stage.time)
      : undefined,
  );
  /** The axes that need a picker: those with something to pick that the map does not show. */
  readonly pickers = $derived.by(() => {
    const { step } = this.stage;
    const shown = [this.grid?.rows.axis, this.grid?.cols.axis];
    return step ? wideAxes(step).filter((axis) => !shown.includes(axis)) : [];
  });

  /** Cells on the map that the reader has changed. */
  readonly edited = $derived.by(() => {
    const { grid } = this;
    if (!grid || this.stage.gradient) return [];
    return this.stage.edits.flatMap(({ step, time, cell }) => {
      if (step !== grid.step.name) return [];
      return place(grid, time === undefined ? cell : [time, ...cell]) ?? [];
    });
  });

  constructor(private readonly stage: Stage) {}

  choose(axes: { rows?: number; cols?: number }): void {
    const name = this.stage.step?.name;
    if (name !== undefined) this.#chosen[name] = { ...this.#chosen[name], ...axes };
  }

  fix(axis: number, index: number): void {
    const { step } = this.stage;
    if (!step) return;
    if (axis === 0 && isStacked(step)) return this.stage.goToTime(index);
    const now = step.axes.map((_, each) => this.fixedAt(each));
    now[axis] = index;
    this.fixAll(step, now);
    this.stage.leaveCell();
  }

  fixAll(step: Step, cell: number[]): void {
    this.#fixed[step.name] = cell;
  }

  fixedAt(axis: number): number {
    const { step, time } = this.stage;
    if (!step) return 0;
    if (axis === 0 && isStacked(step)) return time ?? 0;
    return this.#fixed[step.name]?.[axis] ?? 0;
  }

  #grid(): Grid | undefined {
    const { step, trace, gradient, time, cell } = this.stage;
    if (!step || !trace?.values(step, gradient)) return undefined;
    const layout = {
      ...usualLayout(step),
      ...this.#chosen[step.name],
      fixed: step.axes.map((_, axis) => this.fixedAt(axis)),
    };
    const whole = gridOf(trace, step, layout, { gradient });
    if (this.everyColumn) return whole;
    const cols = topColumns(whole, time ?? 0, cell);
    return cols ? whole.again({ cols }) : whole;
  }
}
