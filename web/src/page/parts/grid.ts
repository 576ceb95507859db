// Two axes of a step laid out as rows and columns: which cell of the tensor stands where.

import type { Axis, Step } from '../../shared/engine';
import { inside, isStacked, position } from '../store/trace';

export interface Side {
  axis: number | undefined; // index into the step's axes; none: a single row or column
  name: string;
  means: string; // the axis's name, or `query` where each turn of a loop asks with a query of its own
  size: number; // of the whole axis, hidden entries included
  indices: number[]; // what is shown, in order
  labels: string[]; // one for each shown index
}

export interface Grid {
  step: Step;
  rows: Side;
  cols: Side;
  hidden: number; // padded entries left out
  partial: boolean; // only some columns were asked for
  gradient: boolean; // the values are gradients
  value(row: number, col: number): number;
  cell(row: number, col: number): number[];
}

export interface Layout {
  rows?: number | undefined; // axis indices
  cols?: number | undefined;
  fixed: number[]; // one index for each axis, used for those that are neither row nor column
}

const PADDING = '<pad>';

export function label(axis: Axis, index: number): string {
  return axis.labels?.[index] ?? String(index);
}

/** Axes worth choosing: those along which something changes. */
export function wideAxes(step: Step): number[] {
  return step.axes.flatMap((axis, i) => (axis.size > 1 ? [i] : []));
}

/** Queries down, keys across (each turn of a loop may ask with a query of its own); otherwise the last two. Time stands aside
 *  when there is enough without it. */
export function usualLayout(step: Step): { rows?: number; cols?: number } {
  const wide = wideAxes(step);
  const still = isStacked(step) && wide.length > 2 ? wide.filter((i) => i !== 0) : wide;
  const named = (name: string): number | undefined =>
    still.find((i) => step.axes[i]!.name === name);
  const key = named('key') ?? named('train');
  const loop = key !== undefined && key === step.axes.length - 1 && asks(step, step.axes[0]!);
  const query = named('query') ?? named('test') ?? (loop ? 0 : undefined);
  if (query !== undefined && key !== undefined) return { rows: query, cols: key };
  const [last, before] = still.toReversed();
  return {
    ...(last !== undefined && { cols: last }),
    ...(before !== undefined && { rows: before }),
  };
}

export interface Show {
  /** Which indices of the columns' axis to show, in this order (for instance the twelve largest). */
  cols?: number[] | undefined;
  gradient?: boolean;
}

export function grid(step: Step, values: Float32Array, layout: Layout, show: Show = {}): Grid {
  const rows = side(step, layout.rows);
  const cols = side(step, layout.cols, show.cols);
  const cell = (row: number, col: number): number[] =>
    step.axes.map((axis, i) =>
      i === rows.axis
        ? rows.indices[row]!
        : i === cols.axis
          ? cols.indices[col]!
          : Math.min(layout.fixed[i] ?? 0, axis.size - 1),
    );
  return {
    step,
    rows,
    cols,
    partial: show.cols !== undefined,
    gradient: show.gradient === true,
    hidden: (show.cols ? 0 : cols.size - cols.indices.length) + rows.size - rows.indices.length,
    cell,
    value: (row, col) => values[position(step.axes, cell(row, col))] ?? NaN,
  };
}

function asks(step: Step, axis: Axis): boolean {
  const query = step.axes.find(({ name }) => name === 'query');
  return axis.name === 'time' && query?.size === 1;
}

function side(step: Step, axisIndex: number | undefined, only?: number[]): Side {
  const axis = axisIndex === undefined ? undefined : step.axes[axisIndex];
  if (!axis) return { axis: undefined, name: '', means: '', size: 1, indices: [0], labels: [''] };
  const all = only ?? Array.from({ length: axis.size }, (_, i) => i);
  const indices = all.filter((i) => axis.labels?.[i] !== PADDING);
  return {
    axis: axisIndex,
    name: axis.name,
    means: asks(step, axis) ? 'query' : axis.name,
    size: axis.size,
    indices,
    labels: indices.map((i) => label(axis, i)),
  };
}

/** Where a cell of the tensor stands in the grid, if it is shown. */
export function place(grid: Grid, cell: number[]): { row: number; col: number } | undefined {
  if (!inside(grid.step.axes, cell)) return undefined;
  const find = (side: Side): number =>
    side.axis === undefined ? 0 : side.indices.indexOf(cell[side.axis]!);
  const row = find(grid.rows);
  const col = find(grid.cols);
  if (row < 0 || col < 0) return undefined;
  const back = grid.cell(row, col);
  return back.every((index, i) => index === cell[i]) ? { row, col } : undefined;
}

/** The smallest and largest value on show. */
export function range(grid: Grid): { min: number; max: number } {
  let min = Infinity;
  let max = -Infinity;
  for (let row = 0; row < grid.rows.indices.length; row++)
    for (let col = 0; col < grid.cols.indices.length; col++) {
      const value = grid.value(row, col);
      if (value < min) min = value;
      if (value > max) max = value;
    }
  return min <= max ? { min, max } : { min: 0, max: 0 };
}

/** The `n` columns that are largest in one row, falling: what a model finds most probable. */
export function largest(grid: Grid, row: number, n: number): number[] {
  return grid.cols.indices
    .map((index, col) => ({ index, value: grid.value(row, col) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, n)
    .map(({ index }) => index);
}

export function csv(grid: Grid): string {
  const quote = (text: string): string =>
    /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = grid.rows.labels.map((name, row) =>
    [quote(name), ...grid.cols.indices.map((_, col) => String(grid.value(row, col)))].join(','),
  );
  return [['', ...grid.cols.labels.map(quote)].join(','), ...lines, ''].join('\r\n');
}
