// Steps whose rows share out 1, and the scale that their maps have in common.

import { range, type Grid } from './grid';
import type { Scale } from './palette';

const SOFTMAX = new Set(['softmax', 'masked_softmax']);

function isShare(grid: Grid): boolean {
  const { axis } = grid.cols;
  return (
    !grid.gradient &&
    SOFTMAX.has(grid.step.op) &&
    axis !== undefined &&
    axis === grid.step.axes.length - 1
  );
}

/** Rows that must sum to 1: all weights along the axis that a softmax shared out. */
export function sharesOut(grid: Grid): boolean {
  return isShare(grid) && !grid.partial;
}

const MANY = 20; // so many shares of 1 are each so small that a scale up to 1 would show nothing

/** Weights share one scale, 0 … 1, so that maps can be compared; anything else fills its own. */
export function usualScale(grid: Grid): Scale {
  return isShare(grid) && grid.cols.indices.length <= MANY ? { min: 0, max: 1 } : range(grid);
}
