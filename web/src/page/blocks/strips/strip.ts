// Many runs as dots, a row for each number that they gave. Pure: data in, SVG out.

import * as Plot from '@observablehq/plot';
import { plot, scales, type Frame } from '../../parts/plotting';

export interface Row {
  label: string;
  colour: string;
  values: number[]; // one a seed
  median: number | undefined;
}

interface Dot {
  x: number;
  y: number;
  row: number;
  seed: number; // its index
}

const SPREAD = [0, -2, 1, -1, 2]; // so that equal numbers do not hide each other
const STEP = 0.075;

/** Where each number stands; one that a logarithm cannot take, or that is none, stands nowhere. */
function dots(rows: Row[], frame: Frame): Dot[] {
  return rows.flatMap(({ values }, row) =>
    values.flatMap((x, seed) =>
      Number.isFinite(x) && (frame.x.type !== 'log' || x > 0)
        ? [{ x, y: row + 0.12 + STEP * SPREAD[seed % SPREAD.length]!, row, seed }]
        : [],
    ),
  );
}

export function strips(frame: Frame, rows: Row[]): SVGSVGElement {
  const medians = rows.flatMap(({ median, colour }, row) =>
    median === undefined || !Number.isFinite(median) ? [] : [{ median, colour, row }],
  );
  return plot(frame, { rows: true }, [
    Plot.ruleY(rows, { y: (_: Row, i: number) => i + 0.5, stroke: 'var(--line)' }),
    Plot.dot(dots(rows, frame), {
      x: 'x',
      y: 'y',
      r: 3.2,
      fill: ({ row }: Dot) => rows[row]!.colour,
      fillOpacity: 0.4,
    }),
    Plot.ruleX(medians, {
      x: 'median',
      y1: ({ row }: { row: number }) => row - 0.14,
      y2: ({ row }: { row: number }) => row + 0.38,
      stroke: ({ colour }: { colour: string }) => colour,
      strokeWidth: 2.5,
    }),
    Plot.text(rows, {
      frameAnchor: 'left',
      y: (_: Row, i: number) => i - 0.32,
      text: 'label',
      fill: 'var(--ink)',
      fontSize: 12,
      textAnchor: 'start',
    }),
  ]);
}

/** One seed in all rows. */
export function marked(frame: Frame, rows: Row[], seed: number | undefined): SVGSVGElement {
  const mine = dots(rows, frame).filter((dot) => dot.seed === seed);
  return plot(frame, { rows: true, bare: true }, [
    Plot.line(mine, {
      x: 'x',
      y: 'y',
      stroke: 'var(--q)',
      strokeOpacity: 0.6,
      strokeDasharray: '3 3',
    }),
    Plot.dot(mine, { x: 'x', y: 'y', r: 5, fill: 'var(--q)', stroke: 'var(--panel)' }),
  ]);
}

/** Of the row that the pointer is in, the seed whose number is nearest on the page. */
export function nearestSeed(
  frame: Frame,
  rows: Row[],
  left: number,
  top: number,
): number | undefined {
  const { x, y } = scales(frame);
  const row = Math.max(0, Math.min(rows.length - 1, Math.round(Number(y.invert!(top)))));
  let best: { seed: number; off: number } | undefined;
  for (const dot of dots(rows, frame)) {
    const off = Math.abs(Number(x.apply(dot.x)) - left);
    if (dot.row === row && (!best || off < best.off)) best = { seed: dot.seed, off };
  }
  return best?.seed;
}
