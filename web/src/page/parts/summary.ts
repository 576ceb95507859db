// A picture in a few sentences, for those who do not see it. Numbers are looked up and compared, never computed.

import type { Words } from '../store/words';
import { figure, short } from './format';
import type { Grid } from './grid';
import type { Place } from './paint';

const FEW = 12; // rows of which each is told

interface Found {
  min: number;
  max: number;
  least: Place | undefined;
  most: Place | undefined;
  ofRow: (number | undefined)[]; // the column that is largest in each row
  masked: number; // cells that the mask hides
}

/** Cells that stand for nothing do not count, nor does what is no number. */
export function extremes(grid: Grid): Found {
  const found: Found = {
    min: Infinity,
    max: -Infinity,
    least: undefined,
    most: undefined,
    ofRow: [],
    masked: 0,
  };
  for (let row = 0; row < grid.rows.indices.length; row++) {
    let best = -Infinity;
    found.ofRow.push(undefined);
    for (let col = 0; col < grid.cols.indices.length; col++) {
      const veil = grid.veil(row, col);
      if (veil === 'masked') found.masked += 1;
      if (veil !== undefined) continue;
      const value = grid.value(row, col);
      if (value < found.min) [found.min, found.least] = [value, { row, col }];
      if (value > found.max) [found.max, found.most] = [value, { row, col }];
      if (value > best) [best, found.ofRow[row]] = [value, col];
    }
  }
  return found;
}

function where(grid: Grid, { row, col }: Place): string {
  return [grid.rows.labels[row], grid.cols.labels[col]].filter(Boolean).join(' × ');
}

/** Its size, its range, and of weights where each row looks. */
export function aboutMap(grid: Grid, shares: boolean, words: Words): string {
  const { min, max, least, most, ofRow, masked } = extremes(grid);
  const [rows, cols] = [grid.rows.indices.length, grid.cols.indices.length];
  const size = words.say('summary.size', {
    rows,
    cols,
    down: words.axis(grid.rows.means),
    across: words.axis(grid.cols.means),
  });
  const range =
    least && most
      ? words.say(min === max ? 'summary.same' : 'summary.range', {
          min: figure(min),
          max: figure(max),
          least: where(grid, least),
          most: where(grid, most),
        })
      : '';
  const each = ofRow.flatMap((col, row) =>
    col === undefined
      ? []
      : `${grid.rows.labels[row]} → ${grid.cols.labels[col]} ${short(grid.value(row, col))}`,
  );
  return [
    size,
    range,
    shares && cols > 1 && rows <= FEW
      ? words.say('summary.rows', { list: each.join(words.say('summary.and')) })
      : '',
    masked > 0 ? words.say('summary.masked', { n: masked }) : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** A line of a plot: from where to where, and where it is lowest and highest. */
export function aboutCurve(
  label: string,
  places: string[],
  values: (number | undefined)[],
  words: Words,
): string {
  const points = values.flatMap((value, i) =>
    value === undefined || Number.isNaN(value) ? [] : [{ at: places[i] ?? '', value }],
  );
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return words.say('summary.noPoints', { label });
  const low = points.reduce((best, each) => (each.value < best.value ? each : best));
  const high = points.reduce((best, each) => (each.value > best.value ? each : best));
  const told = ({ at, value }: { at: string; value: number }): string =>
    words.say('summary.point', { at, value: short(value) });
  return words.say('summary.curve', {
    label,
    n: points.length,
    first: told(first),
    last: told(last),
    low: told(low),
    high: told(high),
  });
}
