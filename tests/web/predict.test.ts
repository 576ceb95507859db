import { describe, expect, it } from 'vitest';
import type { Axis, Explained, Expr, Step } from '../../web/src/shared/engine';
import type { Grid } from '../../web/src/page/parts/grid';
import {
  agrees,
  candidates,
  computed,
  isNumber,
  likeness,
  markShape,
  markStep,
  plainNumber,
  readShape,
} from '../../web/src/page/blocks/predict/mark';
import { around } from '../../web/src/page/blocks/predict/view';

const map = (rows: number[][]): Grid =>
  ({
    rows: { indices: rows.map((_, i) => i) },
    cols: { indices: rows[0]!.map((_, i) => i) },
    value: (row: number, col: number) => rows[row]![col]!,
  }) as Grid;

const ref = (value: number, step = 'x', cell = [0]): Expr => ({
  op: 'ref',
  value,
  node: 1,
  cell,
  step,
});
const told = (stored: number, expr?: Expr): Explained =>
  ({ stored, where: [], ...(expr && { expr }) }) as unknown as Explained;

describe('a typed number', () => {
  it('may come from any keyboard', () => {
    expect(plainNumber(' −０．５ ')).toBe('-0.5');
    expect(plainNumber('0,25')).toBe('0.25');
    expect(plainNumber('1,000.5')).toBe('1,000.5');
    expect(isNumber('1,000.5')).toBe(false);
    for (const yes of ['0.5', '.5', '-3', '1e-3', '+2.']) expect(isNumber(yes)).toBe(true);
    for (const no of ['', '-', 'e', '1/2', '0x1', '5%', 'NaN']) expect(isNumber(no)).toBe(false);
  });

  it('agrees with what rounds to it', () => {
    expect(agrees('0.15', 0.148)).toBe(true);
    expect(agrees('0.14', 0.148)).toBe(false);
    expect(agrees('0.13', 0.125)).toBe(true);
    expect(agrees('0.75', Math.fround(0.745))).toBe(true);
    expect(agrees('1.5e-1', 0.148)).toBe(true);
  });
});

describe('a wrong number looks like', () => {
  const here = { row: 0, col: 1 };
  const cells = map([
    [0.12, 0.34, 0.56],
    [0.78, 0.21, 0.43],
  ]);

  it('the right one with the sign turned', () => {
    expect(likeness('-0.34', told(0.34), cells, here)).toEqual({ like: 'sign' });
  });

  it('the right one with the point elsewhere', () => {
    expect(likeness('3.4', told(0.34), cells, here)).toEqual({ like: 'shift' });
  });

  it('the cell with row and column exchanged, or another of its row', () => {
    expect(likeness('0.78', told(0.34), cells, here)).toEqual({ like: 'transposed' });
    expect(likeness('0.56', told(0.34), cells, here)).toEqual({
      like: 'cell',
      place: { row: 0, col: 2 },
    });
  });

  it('a sum that is still to be divided: a mean, a softmax', () => {
    const sum: Expr = { op: 'add', value: 0.68, of: [ref(0.5), ref(0.18)] };
    const mean: Expr = { op: 'div', value: 0.34, of: [sum, { op: 'const', value: 2 }] };
    expect(likeness('0.68', told(0.34, mean), cells, here)).toEqual({ like: 'numerator', by: 2 });
  });

  it('a score before its 1/√d', () => {
    const product: Expr = { op: 'add', value: 2.72, of: [ref(1.5), ref(1.22)] };
    const scaled: Expr = {
      op: 'mul',
      value: 0.34,
      of: [product, { op: 'const', value: 0.125, symbol: '1/√d' }],
    };
    expect(likeness('2.72', told(0.34, scaled), cells, here)).toEqual({
      like: 'factor',
      by: 0.125,
    });
  });

  it('what stands inside a function, one of the operands, or a term', () => {
    const inner: Expr = { op: 'add', value: 0.35, of: [ref(0.25, 'a', [3]), ref(0.1)] };
    const tanh: Expr = { op: 'tanh', value: 0.34, of: [inner] };
    expect(likeness('0.3500', told(0.336, tanh), cells, here)).toEqual({
      like: 'inside',
      of: 'tanh',
    });
    expect(likeness('0.25', told(0.34, tanh), cells, here)).toEqual({
      like: 'operand',
      step: 'a',
      cell: [3],
    });
  });

  it('nothing, where too few digits were typed to tell', () => {
    expect(likeness('0.5', told(0.34), cells, here)).toBeUndefined();
    expect(likeness('0.91', told(0.34), cells, here)).toBeUndefined();
  });
});

describe('a typed shape', () => {
  const axes = (...sizes: number[]): Axis[] => sizes.map((size) => ({ name: 'a', size }));

  it('is read from the usual ways to write one', () => {
    for (const text of ['4 × 10', '4x10', '(4, 10)', '4*10', '[4 10]', '４×１０', '4 乘 10'])
      expect(readShape(text)).toEqual([4, 10]);
    expect(readShape('four by ten')).toBeUndefined();
    expect(readShape('')).toBeUndefined();
  });

  it('is right with or without axes of size 1', () => {
    expect(markShape([4, 1, 10], axes(4, 1, 10))).toEqual({ right: true, dropped: false });
    expect(markShape([4, 10], axes(4, 1, 10))).toEqual({ right: true, dropped: true });
  });

  it('says what is wrong with it', () => {
    expect(markShape([10, 4], axes(4, 10))).toEqual({ right: false, why: 'order' });
    expect(markShape([4, 8], axes(4, 10))).toEqual({ right: false, why: 'sizes' });
    expect(markShape([40], axes(4, 10))).toEqual({ right: false, why: 'regrouped' });
    expect(markShape([4, 10, 7], axes(4, 10))).toEqual({ right: false, why: 'more', by: 1 });
    expect(markShape([7], axes(4, 10))).toEqual({ right: false, why: 'fewer', by: 1 });
  });
});

describe('which step comes next', () => {
  const step = (name: string, op = 'add'): Step => ({ name, op }) as Step;
  const steps = ['z', 'query', 'scores', 'weights', 'context', 'state'].map((name) => step(name));

  it('is asked among the steps around it, in an order that says nothing', () => {
    expect(candidates(steps, 'query', [])).toEqual(['context', 'scores', 'weights', 'z']);
    expect(candidates(steps, 'query', ['state', 'absent'])).toEqual(['scores', 'state']);
    expect(candidates(steps, 'state', [])).toEqual([]);
    expect(computed([step('w', 'parameter'), step('x', 'input'), step('y')])).toHaveLength(1);
  });

  it('is marked by the order of the run', () => {
    expect(markStep(steps, 'query', 'scores')).toEqual({ right: true });
    expect(markStep(steps, 'query', 'context')).toEqual({ right: false, why: 'early', by: 2 });
    expect(markStep(steps, 'query', 'z')).toEqual({ right: false, why: 'done', by: 2 });
    expect(markStep(steps, 'query', 'nonsense')).toBeUndefined();
  });
});

describe('the part of a map around a cell', () => {
  it('stays within the map, and says what lies beyond', () => {
    const big = map(Array.from({ length: 9 }, () => Array.from({ length: 9 }, () => 0)));
    expect(around(big, { row: 0, col: 8 }, 3, 4)).toEqual({
      rows: [0, 1, 2],
      cols: [5, 6, 7, 8],
      above: false,
      below: true,
      before: true,
      behind: false,
    });
    expect(around(map([[1]]), { row: 0, col: 0 }, 3, 4).cols).toEqual([0]);
  });
});
