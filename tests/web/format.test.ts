import { describe, expect, it } from 'vitest';
import { alike, exact, percent, seconds, short } from '../../web/src/page/parts/format';
import { luminance, mix, palette, type Rgb } from '../../web/src/page/parts/palette';

describe('a number', () => {
  it.each([
    [0.65234, '0.652'],
    [-0.0004, '−4.0e−4'],
    [-0.00000001, '−1.0e−8'],
    [0, '0.000'],
    [-0, '0.000'],
    [123.456, '123.5'],
    [4567.8, '4568'],
    [1234567, '1.2e6'],
    [NaN, 'NaN'],
    [-Infinity, '−∞'],
  ])('%d is written %s', (value, text) => expect(short(value)).toBe(text));

  it('is whole where all of its kind are', () => {
    expect([4, 8192].map(alike([4, 8192]))).toEqual(['4', '8192']);
    expect([1, 1.5].map(alike([1, 1.5]))).toEqual(['1.000', '1.500']);
  });

  it('is written out as far as float32 goes', () => {
    expect(exact(Math.fround(0.1))).toBe('0.1');
    expect(exact(-1 / 3)).toBe('−0.3333333');
  });

  it('has its percent and its seconds', () => {
    expect(percent(0.9231)).toBe('92%');
    expect(percent(0.0123)).toBe('1.2%');
    expect(seconds(4.21)).toBe('4.2 s');
    expect(seconds(125)).toBe('2 min 5 s');
  });
});

describe('a palette', () => {
  const colours: Record<string, Rgb> = {
    panel: [255, 255, 255],
    w: [194, 60, 20],
    soft: [92, 102, 117],
  };
  const dark: Record<string, Rgb> = {
    panel: [27, 30, 36],
    w: [245, 131, 107],
    soft: [162, 171, 185],
  };
  const rgb = (css: string): Rgb => css.match(/\d+/g)!.map(Number) as Rgb;

  it.each([colours, dark])('keeps every number readable on its cell', (theme) => {
    const scale = palette('w', { min: -1, max: 1 }, (name) => theme[name]!);
    for (let value = -1; value <= 1; value += 0.01) {
      const ground = luminance(rgb(scale.fill(value)));
      const ink = scale.text(value) === '#000' ? 0 : 1;
      const [light, low] = ground > ink ? [ground, ink] : [ink, ground];
      expect((light + 0.05) / (low + 0.05)).toBeGreaterThan(4.5);
    }
  });

  it('tells negative from positive by more than lightness', () => {
    const scale = palette('w', { min: -1, max: 1 }, (name) => colours[name]!);
    const [r, , b] = rgb(scale.fill(-0.8));
    const [red, , blue] = rgb(scale.fill(0.8));
    expect(red - blue).toBeGreaterThan(100);
    expect(r - b).toBeLessThan(0);
  });

  it('mixes', () => {
    expect(mix([0, 0, 0], [100, 200, 50], 0.5)).toEqual([50, 100, 25]);
  });
});
