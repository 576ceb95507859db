import type { Element } from 'hast';
import { s } from 'hastscript';

/** The sign of the house: a heat map of three queries and three keys, each looking mostly at one. */
export function mark(): Element {
  const shades = [0.95, 0.3, 0.12, 0.35, 0.2, 0.85, 0.12, 0.9, 0.3];
  const cells = shades.map((opacity, at) =>
    s('rect', {
      x: (at % 3) * 8 + 1,
      y: Math.floor(at / 3) * 8 + 1,
      width: 6.6,
      height: 6.6,
      rx: 1.6,
      opacity,
    }),
  );
  return s(
    'svg.brand-mark',
    { viewBox: '0 0 24 24', width: 24, height: 24, ariaHidden: 'true' },
    cells,
  );
}

const icon = (name: string, children: Element[]): Element =>
  s(
    `svg.theme-icon.theme-icon-${name}`,
    {
      viewBox: '0 0 24 24',
      width: 20,
      height: 20,
      ariaHidden: 'true',
      fill: 'none',
      stroke: 'currentColor',
    },
    children,
  );

const RAYS =
  'M12 2.5v2.2M12 19.3v2.2M2.5 12h2.2M19.3 12h2.2M5.3 5.3l1.5 1.5M17.2 17.2l1.5 1.5M5.3 18.7l1.5-1.5M17.2 6.8l1.5-1.5';

/** Only that of the present choice is shown. */
export function themeIcons(): Element[] {
  return [
    icon('system', [
      s('circle', { cx: 12, cy: 12, r: 8 }),
      s('path', { d: 'M12 4a8 8 0 0 1 0 16z', fill: 'currentColor', stroke: 'none' }),
    ]),
    icon('light', [s('circle', { cx: 12, cy: 12, r: 4.2 }), s('path', { d: RAYS })]),
    icon('dark', [s('path', { d: 'M20 14.2A8.3 8.3 0 0 1 9.8 4a8.3 8.3 0 1 0 10.2 10.2z' })]),
  ];
}
