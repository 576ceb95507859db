import { describe, expect, it } from 'vitest';
import type { Axis, Step } from '../../web/src/shared/engine';
import { grid } from '../../web/src/page/parts/grid';
import { palette, type Rgb } from '../../web/src/page/parts/palette';
import {
  common,
  difference,
  differing,
  evenScale,
  farthest,
  fit,
  oneScale,
} from '../../web/src/page/blocks/compare/pair';
import { Trace } from '../../web/src/page/store/trace';

const axis = (name: string, size: number, labels?: string[]): Axis => ({
  name,
  size,
  ...(labels && { labels }),
});
const step = (name: string, axes: Axis[], more: Partial<Step> = {}): Step => ({
  name,
  op: 'add',
  nodes: [1],
  axes,
  offset: 0,
  operands: [],
  ...more,
});
const run = (...names: string[]): Trace =>
  new Trace({ head: { run: 1, steps: names.map((name) => step(name, [])) } });
const flat = (values: number[], op = 'add') =>
  grid(
    step('s', [axis('query', 1), axis('key', values.length)], { op }),
    Float32Array.from(values),
    {
      rows: 0,
      cols: 1,
      fixed: [],
    },
  );

describe('two runs', () => {
  it('share the steps that both have, in the order of the first', () => {
    expect(common(run('a', 'b', 'c'), run('d', 'c', 'a'))).toEqual({
      names: ['a', 'c'],
      onlyA: ['b'],
      onlyB: ['d'],
    });
  });

  it('differ in the settings that are not equal, or that one alone has', () => {
    expect(differing({ seed: 1, score: 'dot' }, { seed: 1, score: 'additive', x: true })).toEqual([
      'score',
      'x',
    ]);
  });
});

describe('two steps of one name', () => {
  it('fit where all axes are alike', () => {
    const a = step('w', [axis('query', 2, ['je', '.']), axis('key', 3)]);
    const b = step('w', [axis('query', 2, ['tu', '.']), axis('key', 3)]);
    const fitted = fit(a, b);
    expect(fitted).toMatchObject({ fits: true, shared: [] });
    expect(fitted.fits && fitted.axes[0]!.labels).toEqual(['je / tu', '.']);
  });

  it('fit turn by turn where one run has more turns, and word by word where one has padding', () => {
    const a = step('w', [axis('time', 3), axis('key', 4, ['i', 'am', '<pad>', '<pad>'])], {
      nodes: [1, 2, 3],
    });
    const b = step('w', [axis('time', 2), axis('key', 2, ['i', 'am'])], { nodes: [1, 2] });
    const fitted = fit(a, b);
    expect(fitted.fits && fitted.shared).toEqual([
      { axis: 'time', both: 2, a: 3, b: 2 },
      { axis: 'key', both: 2, a: 4, b: 2 },
    ]);
    expect(difference('w', 7, fitted.fits ? fitted.shared : [])).toEqual({
      name: 'difference.w',
      step: 'w',
      minus: { run: 7 },
      select: { time: [0, 1], key: [0, 1] },
    });
  });

  it('do not fit where sizes or axes differ, and it is said how', () => {
    expect(fit(step('h', [axis('hidden', 8)]), step('h', [axis('hidden', 6)]))).toMatchObject({
      fits: false,
      why: 'sizes',
    });
    expect(fit(step('h', [axis('hidden', 8)]), step('h', [axis('key', 8)]))).toMatchObject({
      fits: false,
      why: 'axes',
    });
  });
});

describe('their maps', () => {
  it('have one scale: 0 … 1 for shares, else from the smallest to the largest of both', () => {
    expect(oneScale(flat([0.2, 0.8], 'softmax'), flat([0.5, 0.5], 'softmax'))).toEqual({
      min: 0,
      max: 1,
    });
    expect(oneScale(flat([1, 2]), flat([-3, 0]))).toEqual({ min: -3, max: 2 });
  });

  it('show a difference as far down as up, with nothing in the middle', () => {
    expect(evenScale(flat([-1, 3]))).toEqual({ min: -3, max: 3 });
    expect(farthest(flat([1, -3, 2]))).toEqual({ row: 0, col: 1, value: -3 });
    expect(farthest(flat([0, 0]))).toBeUndefined();
    const theme: Record<string, Rgb> = {
      panel: [255, 255, 255],
      more: [0, 0, 99],
      less: [99, 0, 0],
    };
    const tints = palette('difference', { min: -3, max: 3 }, (name) => theme[name] ?? [1, 2, 3]);
    expect(tints.fill(0)).toBe('rgb(255 255 255)');
    expect(tints.fill(3)).toBe('rgb(0 0 99)');
    expect(tints.fill(-3)).toBe('rgb(99 0 0)');
  });
});
