// Two axes of a step laid out as rows and columns: which cell of the tensor stands where.

import type { Axis, Step } from '../../shared/engine';
import { inside, isStacked, type Trace } from '../store/trace';

export interface Side {
  axis: number | undefined; // index into the step's axes; none: a single row or column
  name: string;
  means: string; // the axis's name, or `query` where each turn of a loop asks with a query of its own
  size: number; // of the whole axis, hidden entries included
  indices: number[]; // what is shown, in order
  labels: string[]; // one for each shown index
  padding: boolean[]; // whether it only fills up a batch; empty where none does
}

/** Why a cell stands for nothing: the mask hides it, it only fills up a batch, or the lesson asks for it. */
export type Veil = 'masked' | 'padded' | 'asked';

export interface Grid {
  step: Step;
  values: Float32Array; // of the whole step, row-major
  layout: Layout;
  rows: Side;
  cols: Side;
  hidden: number; // padded entries left out
  partial: boolean; // only some columns were asked for
  gradient: boolean; // the values are gradients
  masked: boolean; // the step has a mask, which hides a cell on show
  asked: boolean; // one of the numbers is what the lesson asks for
  value: (row: number, col: number) => number;
  cell: (row: number, col: number) => number[];
  veil: (row: number, col: number) => Veil | undefined;
  /** The same cells, asked for otherwise: with padding, for instance. */
  again: (show: Show) => Grid;
  /** The mask of the same cells as a map of its own: 1 takes part, 0 is hidden. */
  mask: () => Grid | undefined;
}

export interface Layout {
  rows?: number | undefined; // axis indices
  cols?: number | undefined;
  fixed: number[]; // one index for each axis, used for those that are neither row nor column
}

const PADDING = '<pad>';

export function label(axis: Axis, index: number): string {
  return axis.labels?.[index] ?? String(axis.name === 'head' ? index + 1 : index); // heads are spoken of from 1 on
}

/** `weights[chez, home]`: tokens where the axes have them, numbers elsewhere. */
export function cellName(title: string, axes: Axis[], cell: number[]): string {
  const where = cell.flatMap((index, i) => {
    const axis = axes[i];
    return axis && axis.size > 1 ? [label(axis, index)] : [];
  });
  return where.length === 0 ? title : `${title}[${where.join(', ')}]`;
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
  /** Of the step's own shape: 1 takes part, 0 is hidden. */
  mask?: Float32Array | undefined;
  /** Entries that only fill up a batch are shown too. */
  padding?: boolean;
  /** The place among the values of a number that the lesson asks for. */
  hidden?: number | undefined;
}

/** A step of a run with its mask, if it has one. */
export function gridOf(trace: Trace, step: Step, layout: Layout, show: Show = {}): Grid {
  const values = trace.values(step, show.gradient === true) ?? new Float32Array();
  const hidden = show.gradient === true ? undefined : trace.hidden(step);
  return grid(step, values, layout, { mask: trace.mask(step), hidden, ...show });
}

export function grid(step: Step, values: Float32Array, layout: Layout, show: Show = {}): Grid {
  const rows = side(step, layout.rows, show);
  const cols = side(step, layout.cols, { ...show, only: show.cols });
  const at = placing(step, layout, rows, cols);
  const { mask, hidden } = show;
  const veil = (row: number, col: number): Veil | undefined =>
    rows.padding[row] || cols.padding[col]
      ? 'padded'
      : mask && mask[at(row, col)] === 0
        ? 'masked'
        : hidden === at(row, col)
          ? 'asked'
          : undefined;
  const it: Grid = {
    step,
    values,
    layout,
    rows,
    cols,
    partial: show.cols !== undefined,
    gradient: show.gradient === true,
    hidden: (show.cols ? 0 : cols.size - cols.indices.length) + rows.size - rows.indices.length,
    masked: mask !== undefined && somewhere(rows, cols, (row, col) => mask[at(row, col)] === 0),
    asked: hidden !== undefined,
    cell: (row, col) => cellAt(step, layout, rows, cols, row, col),
    value: (row, col) => values[at(row, col)] ?? NaN,
    veil,
    again: (other) => grid(step, values, layout, { ...show, ...other }),
    mask: () =>
      mask ? grid(step, mask, layout, { ...show, mask: undefined, hidden: undefined }) : undefined,
  };
  return it;
}

function cellAt(
  step: Step,
  layout: Layout,
  rows: Side,
  cols: Side,
  row: number,
  col: number,
): number[] {
  return step.axes.map((axis, i) => {
    if (i === rows.axis) return rows.indices[row]!;
    if (i === cols.axis) return cols.indices[col]!;
    return Math.min(layout.fixed[i] ?? 0, axis.size - 1);
  });
}

/** Where in the step's values a place of the grid stands: two multiplications, for maps of many cells. */
function placing(
  step: Step,
  layout: Layout,
  rows: Side,
  cols: Side,
): (row: number, col: number) => number {
  let down = 0;
  let across = 0;
  let base = 0;
  let stride = 1;
  for (let i = step.axes.length - 1; i >= 0; i--) {
    const { size } = step.axes[i]!;
    if (i === rows.axis) down = stride;
    else if (i === cols.axis) across = stride;
    else base += stride * Math.min(layout.fixed[i] ?? 0, size - 1);
    stride *= size;
  }
  return (row, col) => base + down * rows.indices[row]! + across * cols.indices[col]!;
}

function somewhere(rows: Side, cols: Side, is: (row: number, col: number) => boolean): boolean {
  for (let row = 0; row < rows.indices.length; row++)
    for (let col = 0; col < cols.indices.length; col++) if (is(row, col)) return true;
  return false;
}

function asks(step: Step, axis: Axis): boolean {
  const query = step.axes.find(({ name }) => name === 'query');
  return axis.name === 'time' && query?.size === 1;
}

function side(
  step: Step,
  axisIndex: number | undefined,
  { only, padding }: { only?: number[] | undefined; padding?: boolean },
): Side {
  const axis = axisIndex === undefined ? undefined : step.axes[axisIndex];
  if (!axis)
    return {
      axis: undefined,
      name: '',
      means: '',
      size: 1,
      indices: [0],
      labels: [''],
      padding: [],
    };
  const pads = (i: number): boolean => axis.labels?.[i] === PADDING;
  const all = only ?? Array.from({ length: axis.size }, (_, i) => i);
  const indices = padding ? all : all.filter((i) => !pads(i));
  return {
    axis: axisIndex,
    name: axis.name,
    means: asks(step, axis) ? 'query' : axis.name,
    size: axis.size,
    indices,
    labels: indices.map((i) => label(axis, i)),
    padding: indices.some(pads) ? indices.map(pads) : [],
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

/** The smallest and largest value on show; cells that stand for nothing do not count. */
export function range(grid: Grid): { min: number; max: number } {
  let min = Infinity;
  let max = -Infinity;
  for (let row = 0; row < grid.rows.indices.length; row++)
    for (let col = 0; col < grid.cols.indices.length; col++) {
      if (grid.veil(row, col) !== undefined) continue;
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
    .map(({ index, value }) => ({ index, value: Number.isNaN(value) ? Infinity : value }))
    .sort((a, b) => b.value - a.value)
    .slice(0, n)
    .map(({ index }) => index);
}

/** A map made from another of the same rows and columns: what is hidden there stands for nothing here either. */
export function veiledLike(map: Grid, other: Grid): Grid {
  return {
    ...map,
    masked: other.masked,
    asked: other.asked,
    veil: other.veil,
    mask: other.mask,
    again: (show) => veiledLike(map.again(show), other.again(show)),
  };
}
