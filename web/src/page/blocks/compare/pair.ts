// Two runs side by side: which steps both have, which of their cells stand for the same thing, and what to say where they do
// not. Pure.

import type { Axis, Config, Derivation, Step } from '../../../shared/engine';
import { largest, range, type Grid } from '../../parts/grid';
import type { Scale } from '../../parts/palette';
import { usualScale } from '../../parts/shares';
import { isStacked, type Trace } from '../../store/trace';

export interface Common {
  names: string[]; // in the order of the first run
  onlyA: string[];
  onlyB: string[];
}

export function common(a: Trace, b: Trace): Common {
  const names = a.steps.map(({ name }) => name);
  return {
    names: names.filter((name) => b.find(name) !== undefined),
    onlyA: names.filter((name) => b.find(name) === undefined),
    onlyB: b.steps.flatMap(({ name }) => (a.find(name) === undefined ? [name] : [])),
  };
}

/** The settings in which two configs differ. One that only one of them has counts too. */
export function differing(a: Config, b: Config): string[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.filter((name) => a[name] !== b[name]);
}

/** How two steps of one name fit on each other. */
export type Fit =
  | { fits: true; shared: Shared[]; axes: Axis[] } // `axes`: of what both have
  | { fits: false; why: 'axes' | 'sizes'; a: Axis[]; b: Axis[] };

/** An axis of which only the first so many entries are in both runs. */
export interface Shared {
  axis: string;
  both: number;
  a: number;
  b: number;
}

export function fit(a: Step, b: Step): Fit {
  const named =
    a.axes.length === b.axes.length && a.axes.every((x, i) => x.name === b.axes[i]!.name);
  if (!named) return { fits: false, why: 'axes', a: a.axes, b: b.axes };
  const loop = isStacked(a) && isStacked(b);
  const apart = a.axes.flatMap((axis, i) => (axis.size === b.axes[i]!.size ? [] : [i]));
  const alike = apart.every((i) => (loop && i === 0) || sameStart(a.axes[i]!, b.axes[i]!));
  if (!alike) return { fits: false, why: 'sizes', a: a.axes, b: b.axes };
  return {
    fits: true,
    axes: a.axes.map((axis, i) => joined(axis, b.axes[i]!)),
    shared: apart.map((i) => {
      const [x, y] = [a.axes[i]!, b.axes[i]!];
      return { axis: x.name, both: Math.min(x.size, y.size), a: x.size, b: y.size };
    }),
  };
}

/** Entries mean the same as far as both go: turn by turn, or word by word. */
function sameStart(a: Axis, b: Axis): boolean {
  if (!a.labels || !b.labels) return false;
  const both = Math.min(a.size, b.size);
  return a.labels.slice(0, both).every((label, i) => label === b.labels![i]);
}

function joined(a: Axis, b: Axis): Axis {
  const size = Math.min(a.size, b.size);
  const { name, labels } = a;
  if (!labels || !b.labels) return { name, size };
  const both = labels.slice(0, size).map((label, i) => {
    const other = b.labels![i]!;
    return label === other ? label : `${label} / ${other}`;
  });
  return { name, size, labels: both };
}

/** What to ask the engine for. */
export function difference(step: string, run: number, shared: Shared[]): Derivation {
  const select = Object.fromEntries(
    shared.map(({ axis, both }) => [axis, Array.from({ length: both }, (_, i) => i)]),
  );
  return {
    name: `difference.${step}`,
    step,
    minus: { run },
    ...(shared.length > 0 && { select }),
  };
}

/** One scale for both: 0 … 1 where both share out 1, else from the smallest to the largest of the two. */
export function oneScale(a: Grid, b: Grid): Scale {
  const [x, y] = [usualScale(a), usualScale(b)];
  return { min: Math.min(x.min, y.min), max: Math.max(x.max, y.max) };
}

/** As far down as up, so that nothing stands in the middle. */
export function evenScale(grid: Grid): Scale {
  const { min, max } = range(grid);
  const reach = Math.max(-min, max);
  return { min: -reach, max: reach };
}

/** Where the two are farthest from each other; nothing where they are the same everywhere. */
export function farthest(grid: Grid): { row: number; col: number; value: number } | undefined {
  let far: { row: number; col: number; value: number } | undefined;
  for (let row = 0; row < grid.rows.indices.length; row++)
    for (let col = 0; col < grid.cols.indices.length; col++) {
      const value = grid.value(row, col);
      if (Math.abs(value) > Math.abs(far?.value ?? 0)) far = { row, col, value };
    }
  return far;
}

const MANY = 40;
const TOP = 5;

/** Of a whole vocabulary, the words that matter to either. */
export function topOfBoth(a: Grid, b: Grid, row: number): number[] | undefined {
  if (a.cols.name !== 'vocabulary' || a.cols.indices.length <= MANY) return undefined;
  const at = (grid: Grid): number => Math.min(row, grid.rows.indices.length - 1);
  return [...new Set([...largest(a, at(a), TOP), ...largest(b, at(b), TOP)])];
}
