// Which runs a table needs: cells that ask the same of the same session share one. Pure.

import type { Edit } from '../../../shared/engine';
import type { Scalar } from '../../../shared/engine';
import type { StateRef } from '../../../shared/lesson';
import { inside, position, type Trace } from '../../store/trace';
import type { Cell, Options } from './schema';

export interface Asked {
  session: string | StateRef;
  inputs: Record<string, Scalar | StateRef>;
  edits: Edit[];
  want: string[];
}

export function keyOf(options: Options, cell: Cell): string {
  return JSON.stringify([cell.session ?? options.session, cell.inputs, cell.edits]);
}

/** By key, each with all the steps that its cells show. */
export function asked(options: Options): Map<string, Asked> {
  const all = new Map<string, Asked>();
  for (const cell of options.rows.flatMap(({ cells }) => cells)) {
    if (cell.step === undefined) continue;
    const key = keyOf(options, cell);
    const one: Asked = all.get(key) ?? {
      session: cell.session ?? options.session,
      inputs: { ...options.inputs, ...cell.inputs },
      edits: cell.edits,
      want: [],
    };
    if (!one.want.includes(cell.step)) one.want.push(cell.step);
    all.set(key, one);
  }
  return all;
}

export interface Shown {
  value: number;
  cell: number[]; // of the step
}

const MOST = 12; // numbers in one cell of a table

/** The numbers of a cell: `at` names the first indices, all that stands below is shown. */
export function numbers(trace: Trace, { step: name, at }: Cell): Shown[] {
  const step = trace.step(name!);
  const below = step.axes.slice(at.length);
  const n = below.reduce((all, { size }) => all * size, 1);
  if (!inside(step.axes, [...at, ...below.map(() => 0)]))
    throw new Error(`${step.name} has no cell ${at.join(', ')}`);
  if (n > MOST) throw new Error(`${step.name}: ${n} numbers do not fit into a cell`);
  const values = trace.values(step);
  return Array.from({ length: n }, (_, i) => {
    const cell = [...at, ...indices(below, i)];
    return { cell, value: values[position(step.axes, cell)]! };
  });
}

/** The i-th of all index lists, row-major. */
function indices(axes: { size: number }[], i: number): number[] {
  const out: number[] = [];
  let rest = i;
  for (const { size } of axes.toReversed()) {
    out.unshift(rest % size);
    rest = (rest - (rest % size)) / size;
  }
  return out;
}
