// Curves and points by Observable Plot. Pure: data in, SVG out. Colours are the site's variables,
// so a change of theme needs no new drawing.

import * as Plot from '@observablehq/plot';
import { MARGINS, plot, type Frame } from '../../parts/plotting';

export interface Point {
  x: number;
  y: number;
}

export interface Curve {
  label: string;
  colour: string; // 'var(--w)'
  dash: string | undefined;
  points: Point[];
}

export interface Weighted extends Point {
  weight: number;
}

const LARGEST_DOT = 24;
const RADII = { domain: [0, 1], range: [0, LARGEST_DOT] };

export function chart(frame: Frame, curves: Curve[], points: Point[]): SVGSVGElement {
  return plot(frame, { r: RADII }, [
    Plot.ruleY([0], { stroke: 'var(--line)' }),
    Plot.dot(points, { x: 'x', y: 'y', r: () => 0.035, fill: 'var(--k)', fillOpacity: 0.55 }),
    ...curves.map((curve) =>
      Plot.lineY(curve.points, {
        x: 'x',
        y: 'y',
        stroke: curve.colour,
        strokeWidth: 2.4,
        ...(curve.dash !== undefined && { strokeDasharray: curve.dash }),
      }),
    ),
  ]);
}

/** Over the chart: one query, and how much each training point weighs for it. */
export function focus(frame: Frame, at: Point, weighted: Weighted[]): SVGSVGElement {
  const heaviest = Math.max(...weighted.map(({ weight }) => weight), 1e-9);
  return plot(frame, { r: RADII, bare: true }, [
    Plot.ruleX([at.x], { stroke: 'var(--q)', strokeOpacity: 0.5, strokeDasharray: '3 3' }),
    Plot.link(weighted, {
      x1: () => at.x,
      y1: () => at.y,
      x2: 'x',
      y2: 'y',
      stroke: 'var(--w)',
      strokeOpacity: (d: Weighted) => (0.75 * d.weight) / heaviest,
    }),
    Plot.dot(weighted, {
      x: 'x',
      y: 'y',
      r: 'weight',
      fill: 'var(--w)',
      fillOpacity: (d: Weighted) => 0.15 + (0.6 * d.weight) / heaviest,
      stroke: 'var(--w)',
      strokeOpacity: 0.6,
    }),
    Plot.dot([at], { x: 'x', y: 'y', r: () => 0.06, fill: 'var(--q)', stroke: 'var(--panel)' }),
  ]);
}

/** Where the pointer is on the x axis, in data. */
export function invert(frame: Frame, pixel: number): number {
  const { marginLeft, marginRight } = MARGINS;
  const [low, high] = frame.x.domain;
  const share = (pixel - marginLeft) / (frame.width - marginLeft - marginRight);
  return low + share * (high - low);
}

export function nearest(points: Point[], x: number): number {
  let best = 0;
  points.forEach((point, i) => {
    if (Math.abs(point.x - x) < Math.abs(points[best]!.x - x)) best = i;
  });
  return best;
}

/** A little more than the data needs. */
export function extent(values: number[]): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const margin = (high - low || 1) * 0.06;
  return [low - margin, high + margin];
}
