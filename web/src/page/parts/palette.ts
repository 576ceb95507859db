// Tints for heat maps, from the site's own colours so that light and dark both fit.
// A step's role gives the hue; negative values go to a neutral grey, so sign is never hue alone. A difference of two
// runs has two hues of its own, one darker than the other, and no tint at zero.

export type Role = 'q' | 'k' | 'v' | 'w' | 'c' | 'ink' | 'difference';
export type Rgb = [number, number, number];

export interface Scale {
  min: number;
  max: number;
}

export interface Palette {
  scale: Scale;
  fill(value: number): string;
  /** The same as a pixel of an ImageData, from a table: for maps of many cells. */
  pixel(value: number): number;
  /** Black or white, whichever can be read on the fill: at least 4.58 : 1. */
  text(value: number): string;
  gradient(): string;
  /** What the gradient runs through, from the scale's least to its largest value. */
  stops(): string[];
}

const PALEST = 0.06;
const TABLE = 1024; // tints; a screen shows 256 levels a channel

export function palette(role: Role, scale: Scale, themed: (name: string) => Rgb): Palette {
  const ground = themed('panel');
  const apart = role === 'difference';
  const hue = themed(role === 'ink' ? 'neutral' : apart ? 'more' : role);
  const negative = themed(apart ? 'less' : 'soft');
  const reach = Math.max(Math.abs(scale.min), Math.abs(scale.max)) || 1;
  const signed = apart || scale.min < 0;
  const palest = apart ? 0 : PALEST;
  const least = signed ? -reach : scale.min;
  const span = (signed ? 2 * reach : scale.max - scale.min) || 1;
  const rgb = (value: number): Rgb => {
    if (!Number.isFinite(value)) return negative;
    const share = signed ? Math.abs(value) / reach : (value - scale.min) / span;
    const tint = palest + (1 - palest) * Math.min(1, Math.max(0, share));
    return mix(ground, value < 0 ? negative : hue, tint);
  };
  let table: Uint32Array | undefined; // made when a large map asks for it
  const stops = (): string[] =>
    (signed ? [-reach, 0, reach] : [scale.min, scale.max]).map((stop) => css(rgb(stop)));
  return {
    scale,
    fill: (value) => css(rgb(value)),
    pixel: (value) => {
      table ??= pixels((i) => rgb(least + (span * i) / (TABLE - 1)), negative);
      if (!Number.isFinite(value)) return table[TABLE]!;
      const share = Math.min(1, Math.max(0, (value - least) / span));
      return table[Math.round(share * (TABLE - 1))]!;
    },
    text: (value) => (luminance(rgb(value)) > 0.179 ? '#000' : '#fff'),
    gradient: () => `linear-gradient(90deg, ${stops().join(', ')})`,
    stops,
  };
}

/** As bytes, so that the order in which this machine keeps them does not matter. The last is for what is no finite number. */
function pixels(tint: (i: number) => Rgb, odd: Rgb): Uint32Array {
  const bytes = new Uint8ClampedArray(4 * (TABLE + 1));
  for (let i = 0; i <= TABLE; i++) bytes.set([...(i < TABLE ? tint(i) : odd), 255], 4 * i);
  return new Uint32Array(bytes.buffer);
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return from.map((channel, i) => channel + (to[i]! - channel) * share) as Rgb;
}

function css(rgb: Rgb): string {
  return `rgb(${rgb.map((channel) => Math.round(channel)).join(' ')})`;
}

/** Relative luminance as WCAG defines it. */
export function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
