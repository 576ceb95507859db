import { describe, expect, it } from 'vitest';
import { grid } from '../../web/src/page/parts/grid';
import { aboutCurve, aboutMap, extremes } from '../../web/src/page/parts/summary';
import { Words } from '../../web/src/page/store/words';
import type { Axis, Step } from '../../web/src/shared/engine';
import en from '../../web/src/words/en.json';

const words = new Words('en', en);
const axis = (name: string, labels: string[]): Axis => ({ name, size: labels.length, labels });
const step: Step = {
  name: 'weights',
  op: 'masked_softmax',
  nodes: [1],
  axes: [axis('query', ['je', 'suis']), axis('key', ["I'm", 'home', '.'])],
  offset: 0,
  operands: [],
};
const layout = { rows: 0, cols: 1, fixed: [0, 0] };
const map = (values: number[], mask?: number[]) =>
  grid(step, Float32Array.from(values), layout, mask && { mask: Float32Array.from(mask) });

describe('a heat map in sentences', () => {
  it('has its size, its range and where, and of weights where each row looks', () => {
    const told = aboutMap(map([0.5, 0.25, 0.25, 0.125, 0.75, 0.125]), true, words);
    expect(told).toBe(
      "Size: 2 × 3; rows: query, columns: key. Smallest: 0.125 at suis × I'm; largest: 0.750 at suis × home. Largest in each row: je → I'm 0.500; suis → home 0.750.",
    );
  });

  it('leaves out what the mask hides, and says how many', () => {
    const hidden = map([0, 0.25, 0.75, 0, 1, 0], [1, 1, 1, 1, 1, 0]);
    expect(extremes(hidden)).toMatchObject({ masked: 1, max: 1, ofRow: [2, 1] });
    expect(aboutMap(hidden, false, words)).toMatch(/Masked cells: 1\.$/);
  });

  it('of equal numbers, or of none at all, says so', () => {
    expect(aboutMap(map([2, 2, 2, 2, 2, 2]), false, words)).toContain('All numbers are 2.');
    expect(aboutMap(map([NaN, NaN, NaN, NaN, NaN, NaN]), false, words)).toBe(
      'Size: 2 × 3; rows: query, columns: key.',
    );
  });
});

describe('a curve in a sentence', () => {
  it('goes from its first to its last point, by its lowest and highest; gaps are no points', () => {
    expect(aboutCurve('loss', ['1', '2', '3', '4'], [3, NaN, 0.5, 1], words)).toBe(
      'loss: 3 points, from 3.000 at 1 to 1.000 at 4; lowest 0.500 at 3, highest 3.000 at 1.',
    );
    expect(aboutCurve('loss', [], [], words)).toBe('loss: no points yet.');
  });
});
