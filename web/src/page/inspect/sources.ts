// The steps from which a sum takes its numbers, and which of their cells.

import type { Expr } from '../../shared/engine';
import { gridOf, place, usualLayout, type Grid } from '../parts/grid';
import type { Place } from '../parts/paint';
import { isStacked, type Trace } from '../store/trace';
import { refs, type Ref } from './expression';

export interface Source {
  name: string;
  gradient: boolean; // of the step's gradient
  elsewhere: boolean; // of the run that this one was compared with
  grid: Grid;
  cells: { ref: Ref; place: Place }[]; // each place once, however often the sum reads it
}

export function fullCell(ref: Ref): number[] {
  return ref.time === undefined ? ref.cell : [ref.time, ...ref.cell];
}

// What a difference takes from another run stands in this one as an input of this name.
const ELSEWHERE = 'derived.other.';

export function isElsewhere(step: string | undefined): step is string {
  return step?.startsWith(ELSEWHERE) === true;
}

/** Without the mark of the other run: words and colours are those of the step itself. */
export function ownName(step: string): string;
export function ownName(step: string | undefined): string | undefined;
export function ownName(step: string | undefined): string | undefined {
  return isElsewhere(step) ? step.slice(ELSEWHERE.length) : step;
}

export function sources(trace: Trace, expressions: Expr[], other?: Trace): Source[] {
  const byTensor = new Map<string, Ref[]>();
  for (const ref of expressions.flatMap(refs)) {
    if (ref.step === undefined) continue;
    const tensor = `${ref.gradient === true ? '∂' : ''}${ref.step}`;
    byTensor.set(tensor, [...(byTensor.get(tensor) ?? []), ref]);
  }
  return [...byTensor.values()].flatMap((cells) => source(trace, cells, other) ?? []);
}

function source(own: Trace, cells: Ref[], other: Trace | undefined): Source | undefined {
  const { step: called = '', gradient = false } = cells[0]!;
  const elsewhere = isElsewhere(called);
  const trace = elsewhere ? other : own;
  const name = ownName(called);
  const step = trace?.find(name);
  if (!trace || !step || !trace.values(step, gradient)) return undefined;
  const fixed = fullCell(cells[0]!);
  if (fixed.length !== step.axes.length) return undefined;
  const map = gridOf(trace, step, { ...layoutFor(step, cells), fixed }, { gradient });
  return {
    name,
    gradient,
    elsewhere,
    grid: map,
    cells: distinct(cells).flatMap((ref) => {
      const at = place(map, fullCell(ref));
      return at ? [{ ref, place: at }] : [];
    }),
  };
}

function distinct(cells: Ref[]): Ref[] {
  return [...new Map(cells.map((ref) => [fullCell(ref).join(), ref])).values()];
}

/** The usual two axes, unless the cells run along another one. */
function layoutFor(step: Grid['step'], cells: Ref[]): { rows?: number; cols?: number } {
  const usual = usualLayout(step);
  const moving = step.axes.flatMap((_, axis) =>
    new Set(cells.map((ref) => fullCell(ref)[axis])).size > 1 ? [axis] : [],
  );
  const shown = [usual.rows, usual.cols];
  if (moving.every((axis) => shown.includes(axis))) return usual;
  const [first, second] = moving;
  const other = second ?? (isStacked(step) ? shown.find((axis) => axis !== first) : usual.cols);
  return { rows: Math.min(first!, other ?? first!), cols: Math.max(first!, other ?? first!) };
}
