// Observable Plot as this site uses it. Pure: marks in, SVG out. Colours are the site's variables,
// so a change of theme needs no new drawing.

import * as Plot from '@observablehq/plot';

export interface Side {
  label: string;
  domain: [number, number];
  type?: 'linear' | 'log';
  ticks?: number[]; // without them, where Plot puts them
}

export interface Frame {
  width: number;
  height: number;
  x: Side;
  y: Side;
}

export const MARGINS = { marginLeft: 44, marginRight: 16, marginTop: 26, marginBottom: 40 };

interface Extra {
  bare?: boolean; // no axes: to be laid over another
  rows?: boolean; // y only sets rows apart: it has no axis
  r?: { domain: number[]; range: number[] };
}

export function plot(frame: Frame, extra: Extra, marks: Plot.Markish[]): SVGSVGElement {
  const { width, height } = frame;
  const axis = extra.bare ? { axis: null } : {};
  const node = Plot.plot({
    width,
    height,
    ...MARGINS,
    className: 'plot',
    x: { ...frame.x, ...ticks(frame.x), ...axis },
    y: { ...frame.y, ...ticks(frame.y), ...axis, ...(extra.rows && { axis: null }) },
    ...(extra.r && { r: extra.r }),
    marks,
  }) as SVGSVGElement;
  // Its rules stand in blocks.css; the page's policy allows no style element.
  for (const style of node.querySelectorAll('style')) style.remove();
  node.setAttribute('aria-hidden', 'true'); // every chart has a table beside it
  return node;
}

/** A logarithmic axis has more ticks than there is room for words: 1, 2, 5, 10, 20 … are told. */
function ticks({ type, ticks: given }: Side): object {
  if (given) return { ticks: given, tickFormat: String };
  if (type !== 'log') return {};
  const told = (value: number): string =>
    ['1', '2', '5'].includes(value.toExponential(0)[0]!)
      ? String(Number(value.toPrecision(1)))
      : '';
  return { tickFormat: told };
}

/** For `{@attach …}`: the drawing takes the place of the one before. */
export function inserted(make: () => SVGSVGElement) {
  return (target: HTMLElement): void => target.replaceChildren(make());
}

/** From data to pixels and back. */
export function scales(frame: Frame): { x: Plot.Scale; y: Plot.Scale } {
  const { marginLeft, marginRight, marginTop, marginBottom } = MARGINS;
  const across: [number, number] = [marginLeft, frame.width - marginRight];
  const up: [number, number] = [frame.height - marginBottom, marginTop];
  return {
    x: Plot.scale({ x: { type: frame.x.type ?? 'linear', domain: frame.x.domain, range: across } }),
    y: Plot.scale({ y: { type: frame.y.type ?? 'linear', domain: frame.y.domain, range: up } }),
  };
}

/** A little more than the data needs. */
export function extent(values: number[], type: 'linear' | 'log' = 'linear'): [number, number] {
  const all = values.filter((value) => Number.isFinite(value) && (type === 'linear' || value > 0));
  if (all.length === 0) return type === 'log' ? [1, 10] : [0, 1];
  const low = Math.min(...all);
  const high = Math.max(...all);
  if (type === 'log') return [low / 1.15, high * 1.15];
  const margin = (high - low || 1) * 0.06;
  return [low - margin, high + margin];
}
