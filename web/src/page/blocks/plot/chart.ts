// Curves and points by Observable Plot. Pure: data in, SVG out. Colours are the site's variables,
// so a change of theme needs no new drawing.

import * as Plot from '@observablehq/plot';
import { plot, type Frame } from '../../parts/plotting';

export interface Point {
  x: number;
  y: number;
}

export interface Curve {
  label: string;
  colour: string; // 'var(--w)'
  dash?: string | undefined;
  dots?: boolean; // its points are few and worth one each
  thick?: boolean;
  points: Point[];
}

export interface Weighted extends Point {
  weight: number;
}

const LARGEST_DOT = 24;
const RADII = { domain: [0, 1], range: [0, LARGEST_DOT] };

export function chart(frame: Frame, curves: Curve[], points: Point[]): SVGSVGElement {
  return plot(frame, { r: RADII }, [
    ...(frame.y.type === 'log' ? [] : [Plot.ruleY([0], { stroke: 'var(--line)' })]),
    Plot.dot(points, { x: 'x', y: 'y', r: () => 0.035, fill: 'var(--k)', fillOpacity: 0.55 }),
    ...curves.map((curve) =>
      Plot.lineY(curve.points, {
        x: 'x',
        y: 'y',
        stroke: curve.colour,
        strokeWidth: curve.thick ? 3.4 : 2.4,
        ...(curve.dash !== undefined && { strokeDasharray: curve.dash }),
      }),
    ),
    ...curves.flatMap((curve) =>
      curve.dots
        ? [Plot.dot(curve.points, { x: 'x', y: 'y', fill: curve.colour, r: () => 0.04 })]
        : [],
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

/** Over the chart: where one reads it off. */
export function cursor(frame: Frame, at: Point[]): SVGSVGElement {
  return plot(frame, { r: RADII, bare: true }, [
    Plot.ruleX(at.slice(0, 1), {
      x: 'x',
      stroke: 'var(--q)',
      strokeOpacity: 0.5,
      strokeDasharray: '3 3',
    }),
    Plot.dot(at, { x: 'x', y: 'y', r: () => 0.06, fill: 'var(--q)', stroke: 'var(--panel)' }),
  ]);
}

export function nearest(points: Point[], x: number): number {
  let best = 0;
  points.forEach((point, i) => {
    if (Math.abs(point.x - x) < Math.abs(points[best]!.x - x)) best = i;
  });
  return best;
}
