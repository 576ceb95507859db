// The part of a large map around one of its cells.

import type { Grid } from '../../parts/grid';
import type { Place } from '../../parts/paint';

export interface Around {
  rows: number[];
  cols: number[];
  /** Something lies beyond this edge. */
  before: boolean;
  behind: boolean;
  above: boolean;
  below: boolean;
}

export function around(map: Grid, at: Place, rows: number, cols: number): Around {
  const down = part(map.rows.indices.length, at.row, rows);
  const across = part(map.cols.indices.length, at.col, cols);
  return {
    rows: down,
    cols: across,
    above: down[0]! > 0,
    below: down.at(-1)! < map.rows.indices.length - 1,
    before: across[0]! > 0,
    behind: across.at(-1)! < map.cols.indices.length - 1,
  };
}

function part(size: number, middle: number, most: number): number[] {
  const count = Math.min(size, most);
  const first = Math.max(0, Math.min(middle - Math.floor(count / 2), size - count));
  return Array.from({ length: count }, (_, i) => first + i);
}
