// What each cell of a table shows, and which runs that needs: cells that ask the same of one session share a run. Pure.

import type { Edit, Scalar } from '../../../shared/engine';
import type { StateRef } from '../../../shared/lesson';
import { inside, position, type Trace } from '../../store/trace';
import type { Cell, Options } from './schema';

export interface Asked {
  session: string | StateRef;
  inputs: Record<string, Scalar | StateRef>;
  edits: Edit[];
  want: string[];
}

/** A cell with all that its row, its column and the table say for it. */
export type Laid = Cell &
  Pick<Asked, 'session' | 'inputs' | 'edits'> & { at: number[]; key: string };

export function laid(options: Options): Laid[][] {
  return options.rows.map((row) => {
    const cells = row.cells ?? options.cols.map((): Partial<Cell> => ({}));
    return cells.map((cell, i) => laidCell(options, row, options.cols[i] ?? {}, cell));
  });
}

type Said = Partial<Omit<Cell, 'text'>>;

/** A row's colour is its head's. */
function laidCell(options: Options, row: Said, col: Said, cell: Partial<Cell>): Laid {
  const { role: _, ...ofRow } = row;
  const said = { ...spoken(col), ...spoken(ofRow), ...spoken(cell) } as Cell;
  const inputs = { ...options.inputs, ...col.inputs, ...row.inputs, ...cell.inputs };
  const { session = options.session ?? '', edits = [], at = [] } = said;
  return { ...said, session, inputs, edits, at, key: JSON.stringify([session, inputs, edits]) };
}

function spoken(said: object): object {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** By key, each with all the steps that its cells show. */
export function asked(cells: Laid[]): Map<string, Asked> {
  const all = new Map<string, Asked>();
  for (const { key, step, session, inputs, edits } of cells) {
    if (step === undefined) continue;
    const one = all.get(key) ?? { session, inputs, edits, want: [] };
    if (!one.want.includes(step)) one.want.push(step);
    all.set(key, one);
  }
  return all;
}

export interface Shown {
  value: number;
  cell?: number[]; // of the step; a metric has none, and does not open
}

const MOST = 12; // numbers in one cell of a table

/** The numbers of a cell: `at` names the first indices, all that stands below is shown. */
export function numbers(trace: Trace, { step: name, at }: Laid): Shown[] {
  const metric = trace.ran.metrics?.[name!];
  if (metric !== undefined && !trace.find(name!)) return [{ value: metric }];
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
