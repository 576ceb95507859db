// The colours of the roles: readable in both themes, and apart for colour-blind readers.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Triple = [number, number, number];

const css = readFileSync(
  new URL('../../../web/src/page/shell/tokens.css', import.meta.url),
  'utf8',
);
const ROLES = ['q', 'k', 'v', 'w', 'c'];

function theme(selector: string): (name: string) => Triple {
  const block = css.slice(css.indexOf(selector));
  return (name) => {
    const hex = new RegExp(`--${name}: #([0-9a-f]{6})`).exec(block)![1]!;
    return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as Triple;
  };
}

const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const times = (m: Triple[], v: Triple): Triple =>
  m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Triple;

function contrast(a: Triple, b: Triple): number {
  const luminance = (rgb: Triple) =>
    times(
      [
        [0.2126, 0.7152, 0.0722],
        [0, 0, 0],
        [0, 0, 0],
      ],
      rgb,
    )[0];
  const [low, high] = [a, b]
    .map((rgb) => luminance(rgb.map(linear) as Triple))
    .sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

// How a colour looks without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
const VISIONS: Record<string, Triple[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function oklab(rgb: Triple): Triple {
  const lms = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    lms.map(Math.cbrt) as Triple,
  );
}

function seen(rgb: Triple, vision: string): Triple {
  const cones = times(VISIONS[vision]!, rgb.map(linear) as Triple);
  return oklab(cones.map((c) => Math.min(1, Math.max(0, c))) as Triple);
}

const NOTICEABLE = 0.02; // in OKLab
/** At a glance; tritan vision, one in tens of thousands, gets by with a look. */
const apart = (vision: string): number => (vision === 'tritan' ? 2 : 3) * NOTICEABLE;

describe.each([
  ['light', ':root {'],
  ['dark', ":root[data-theme='dark'] {"],
])('%s theme', (_, selector) => {
  const colour = theme(selector);

  it.each(['ink', 'soft', 'good', 'bad', ...ROLES])(
    '--%s reaches 4.5 : 1 on every ground',
    (name) => {
      for (const ground of ['bg', 'panel', 'sunken', 'hi'])
        expect(contrast(colour(name), colour(ground)), ground).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('--edge reaches 3 : 1', () => {
    for (const ground of ['bg', 'panel'])
      expect(contrast(colour('edge'), colour(ground))).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.keys(VISIONS))('the roles stay apart in %s vision', (vision) => {
    const pairs = ROLES.flatMap((a, at) => ROLES.slice(at + 1).map((b) => [a, b] as const));
    for (const [a, b] of pairs) {
      const [x, y] = [seen(colour(a), vision), seen(colour(b), vision)];
      const distance = Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
      expect(distance, `${a} and ${b}`).toBeGreaterThan(apart(vision));
    }
  });
});
