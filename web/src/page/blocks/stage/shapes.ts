// How shapes change on the way into a step: what it was computed from, how the op reads it (turned, cut, laid end to end,
// repeated), which axes the op sums away, and what stands in the end.

import type { Operand, Step } from '../../../shared/engine';
import { isStacked, type Trace } from '../../store/trace';

export interface Size {
  name: string;
  size: number;
}

/** `put`: an axis of size 1, put in so that one entry serves all of the result's; `to` says how many. */
export interface ReadAxis extends Size {
  fate: 'kept' | 'summed' | 'stretched';
  to?: number;
}

/** What happens to the axes between the tensor and what the op reads of it. */
export type Move = 'turned' | 'split' | 'merged' | 'put' | 'cut';

export interface ShapeRow {
  step: string | undefined; // of the run; nothing for what has no name
  op: string;
  axes: Size[]; // as it is
  moves: Move[];
  read: ReadAxis[]; // as the op reads it
}

export interface Flow {
  operands: ShapeRow[];
  ops: string[]; // inner ones first, the step's own last
  made: Size[] | undefined; // what the op made, where it was moved afterwards
  moves: Move[];
  joined: number[] | undefined; // sizes that were put one behind another
  result: Size[];
}

const product = (axes: Size[]): number => axes.reduce((all, { size }) => all * size, 1);
const wide = (axes: Size[]): Size[] => axes.filter(({ size }) => size > 1);

/** Which axes an op sums away, of its n-th operand. */
function summed(op: string, operand: number, axes: Size[], result: Size[]): number[] {
  const last = axes.length - 1;
  if (op === 'linear' || op === 'matmul_transposed') return operand < 2 ? [last] : [];
  if (op === 'matmul') return operand === 0 ? [last] : [last - 1];
  if (op === 'sum' || op === 'mean')
    return axes.flatMap((axis, i) => (result.some(({ name }) => name === axis.name) ? [] : [i]));
  return [];
}

function read(operand: Operand, index: number, parent: string, result: Size[]): ReadAxis[] {
  const gone = summed(parent, index, operand.axes, result);
  const aligned = result.length - operand.axes.length; // broadcasting aligns the last axes
  return operand.axes.map((axis, i): ReadAxis => {
    if (gone.includes(i)) return { ...axis, fate: 'summed' };
    const there = result[i + aligned];
    const stretches = ['add', 'sub', 'mul', 'div', 'max', 'min', 'pow'].includes(parent);
    if (stretches && axis.size === 1 && there && there.size > 1)
      return { name: there.name, size: 1, fate: 'stretched', to: there.size };
    return { ...axis, fate: 'kept' };
  });
}

/** By sizes, since an axis that was cut or merged has no name: which way the tensor was moved. */
function movesBetween(from: Size[], to: Size[]): Move[] {
  const [a, b] = [wide(from), wide(to)];
  const moves: Move[] = [];
  if (product(from) > product(to)) moves.push('cut');
  else if (b.length > a.length) moves.push('split');
  else if (b.length < a.length) moves.push('merged');
  const order = b
    .flatMap(({ name }) => a.findIndex((axis) => axis.name === name))
    .filter((i) => i >= 0);
  if (order.some((place, i) => i > 0 && place < order[i - 1]!)) moves.push('turned');
  if (to.length > from.length && b.length === a.length && moves.length === 0) moves.push('put');
  return moves;
}

interface Leaf {
  operand: Operand;
  index: number;
  parent: string;
}

/** Operands that have no name and were computed stand for what they were computed from. */
function leaves(operands: Operand[], parent: string, ops: string[]): Leaf[] {
  const found = operands.flatMap((operand, index): Leaf[] =>
    operand.step === undefined && operand.operands
      ? leaves(operand.operands, operand.op, ops)
      : [{ operand, index, parent }],
  );
  ops.push(parent);
  return found;
}

function distinct(rows: ShapeRow[]): ShapeRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

export function flow(step: Step, trace: Pick<Trace, 'find'>): Flow {
  const result = plain(step);
  const ops: string[] = [];
  const found = leaves(step.operands, step.op, ops);
  const rows = found.map(({ operand, index, parent }): ShapeRow => {
    const own = operand.step === undefined ? undefined : trace.find(operand.step);
    const axes = own ? plain(own) : operand.axes;
    return {
      step: operand.step,
      op: operand.op,
      axes,
      moves: movesBetween(axes, operand.axes),
      read: read(operand, index, parent, result),
    };
  });
  const made = madeBy(step, result);
  return {
    operands: distinct(rows),
    ops,
    made,
    moves: made ? movesBetween(made, result) : [],
    joined: joined(step),
    result,
  };
}

function plain(step: Step): Size[] {
  const axes = isStacked(step) ? step.axes.slice(1) : step.axes;
  return axes.map(({ name, size }) => ({ name, size }));
}

/** A linear layer makes [… , features]; for attention they are then cut into heads and turned. */
function madeBy(step: Step, result: Size[]): Size[] | undefined {
  const [x, weight] = step.operands;
  if (step.op !== 'linear' || !x || !weight) return undefined;
  const made = [...x.axes.slice(0, -1), { name: 'feature', size: weight.axes[0]!.size }];
  const sizes = (axes: Size[]): string => axes.map(({ size }) => size).join();
  return sizes(made) === sizes(result) || product(made) !== product(result) ? undefined : made;
}

function joined(step: Step): number[] | undefined {
  if (step.op !== 'concat') return undefined;
  return step.operands.map(({ axes }) => axes.at(-1)?.size ?? 1);
}
