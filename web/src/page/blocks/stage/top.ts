// A vocabulary has hundreds of entries, of which a few matter at a time.

import { largest, type Grid } from '../../parts/grid';

const MANY = 40;
const SHOWN = 8;

/** The columns worth showing for the row at hand, or nothing if they are few anyway. */
export function topColumns(
  grid: Grid,
  time: number,
  cell: number[] | undefined,
): number[] | undefined {
  const { axis } = grid.cols;
  if (axis === undefined || grid.step.axes[axis]?.name !== 'vocabulary') return undefined;
  if (grid.cols.indices.length <= MANY) return undefined;
  const row = grid.rows.axis === 0 ? Math.max(0, grid.rows.indices.indexOf(time)) : 0;
  const best = largest(grid, row, SHOWN);
  const picked = cell?.[axis];
  return picked === undefined || best.includes(picked) ? best : [...best.slice(0, -1), picked];
}
