// Observable Plot as this site uses it. Pure: marks in, SVG out. Colours are the site's variables,
// so a change of theme needs no new drawing.

import * as Plot from '@observablehq/plot';

export interface Frame {
  width: number;
  height: number;
  x: { label: string; domain: [number, number] };
  y: { label: string; domain: [number, number] };
}

export const MARGINS = { marginLeft: 44, marginRight: 16, marginTop: 26, marginBottom: 40 };

interface Extra {
  bare?: boolean; // no axes: to be laid over another
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
    x: { ...frame.x, ...axis },
    y: { ...frame.y, ...axis },
    ...(extra.r && { r: extra.r }),
    marks,
  }) as SVGSVGElement;
  // Its rules stand in blocks.css; the page's policy allows no style element.
  for (const style of node.querySelectorAll('style')) style.remove();
  node.setAttribute('aria-hidden', 'true'); // every chart has a table beside it
  return node;
}

/** For `{@attach …}`: the drawing takes the place of the one before. */
export function inserted(make: () => SVGSVGElement) {
  return (target: HTMLElement): void => target.replaceChildren(make());
}
