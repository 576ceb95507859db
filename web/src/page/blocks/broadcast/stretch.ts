// Two tensors that lack an axis each, and the one that is made of both. Pure.

import type { Axis, Step } from '../../../shared/engine';

export interface Stretched {
  rows: Axis; // the axis that goes down: the columns lack it
  cols: Axis; // the axis that goes across: the rows lack it
}

/** Nothing where the steps are no such pair. */
export function stretched(left: Step, right: Step, result: Step): Stretched | undefined {
  const lacks = (step: Step): Axis[] =>
    result.axes.filter(({ name }) => !step.axes.some((axis) => axis.name === name));
  const [cols, ...more] = lacks(left);
  const [rows, ...others] = lacks(right);
  return rows && cols && more.length === 0 && others.length === 0 ? { rows, cols } : undefined;
}

/** As large as the result has it, or 1 along an axis that is still to be stretched. */
export function sizesOf(
  step: Step,
  result: Step,
  filled: boolean,
): { size: number; grown: boolean; name: string }[] {
  return result.axes.map(({ name, size }) => {
    const own = step.axes.some((axis) => axis.name === name);
    return { name, size: own || filled ? size : 1, grown: !own };
  });
}

/** A step's cell, given where each axis stands. */
export function cellOf(step: Step, at: Record<string, number>): number[] {
  return step.axes.map(({ name, size }) => Math.min(at[name] ?? 0, size - 1));
}
