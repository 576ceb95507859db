import { describe, expect, it } from 'vitest';
import type { Expr } from '../../web/src/shared/engine';
import { layout, plain, refs, workings } from '../../web/src/page/inspect/expression';

const ref = (value: number, node = 1, cell = [0]): Expr => ({
  op: 'ref',
  value,
  node,
  cell,
});
const constant = (value: number, symbol?: string): Expr => ({
  op: 'const',
  value,
  ...(symbol !== undefined && { symbol }),
});
const exp = (x: Expr, value: number): Expr => ({ op: 'exp', value, of: [x] });
const text = (e: Expr): string => plain(layout(e));

describe('an expression', () => {
  it('writes a weighted sum with its products', () => {
    const e: Expr = {
      op: 'add',
      value: 0.17,
      of: [
        { op: 'mul', value: 0.2, of: [ref(0.5), ref(0.4)] },
        { op: 'mul', value: -0.03, of: [ref(0.1), ref(-0.3)] },
      ],
    };
    expect(text(e)).toBe('0.500·0.400 + 0.100·(−0.300)');
  });

  it('writes a softmax as powers over their sum, then worked out', () => {
    const e: Expr = {
      op: 'div',
      value: 0.731,
      of: [
        exp(ref(1), 2.71828),
        {
          op: 'add',
          value: 3.71828,
          of: [exp(ref(1), 2.71828), exp(ref(0.0001), 1)],
        },
      ],
    };
    expect(workings(e).map(plain)).toEqual(['e^1 / (e^1 + e^{1.000e−4})', '2.718 / 3.718']);
  });

  it('puts brackets where they are needed and only there', () => {
    const sum: Expr = { op: 'add', value: 3, of: [ref(1.5), ref(1.5)] };
    expect(text({ op: 'mul', value: 6, of: [constant(2), sum] })).toBe('2·(1.500 + 1.500)');
    expect(text({ op: 'sub', value: 0, of: [ref(1.5), sum] })).toBe('1.500 − (1.500 + 1.500)');
    expect(text({ op: 'square', value: 2.25, of: [ref(-1.5)] })).toBe('(−1.500)^2');
    expect(text({ op: 'tanh', value: 0.9, of: [sum] })).toBe('tanh(1.500 + 1.500)');
    expect(
      text({
        op: 'div',
        value: 1,
        of: [sum, { op: 'mul', value: 3, of: [constant(2), ref(1.5)] }],
      }),
    ).toBe('(1.500 + 1.500) / (2·1.500)');
  });

  it('writes powers, distances, choices and statements as a book does', () => {
    const minusTwo = ref(-2);
    const cube: Expr = { op: 'pow', value: -8, of: [minusTwo, constant(3)] };
    expect(text(cube)).toBe('(−2)^3');
    expect(text({ op: 'neg', value: 8, of: [cube] })).toBe('−(−2)^3');
    expect(
      text({
        op: 'pow',
        value: 1.5,
        of: [ref(1.5), { op: 'sub', value: 1, of: [ref(3), ref(2)] }],
      }),
    ).toBe('1.500^{3 − 2}');
    expect(text({ op: 'abs', value: 2, of: [minusTwo] })).toBe('|−2|');
    expect(text({ op: 'step', value: 0, of: [minusTwo] })).toBe('[−2 > 0]');
    expect(text({ op: 'min', value: -2, of: [minusTwo, constant(1)] })).toBe('min(−2, 1)');
    expect(text({ op: 'cos', value: -0.416, of: [minusTwo] })).toBe('cos(−2)');
  });

  it('shows a constant by its symbol and a named part by its name', () => {
    const e: Expr = {
      op: 'mul',
      value: 1,
      of: [constant(-0.5, '−1/2'), { op: 'name', name: 'mean', value: 2 }],
    };
    expect(text(e)).toBe('−1/2·mean');
  });

  it('folds a long sum in the middle and keeps every operand reachable', () => {
    const terms = Array.from({ length: 50 }, (_, i) => ref(i + 0.5, i));
    const e: Expr = { op: 'add', value: 1250, of: terms };
    expect(text(e)).toBe('0.500 + 1.500 + 2.500 + … 45 … + 48.500 + 49.500');
    expect(refs(e)).toHaveLength(50);
    const fold = layout(e);
    expect(
      fold.is === 'row' && fold.of.some((piece) => piece.is === 'fold' && piece.count === 45),
    ).toBe(true);
  });

  it('writes a negated term as a subtraction', () => {
    const e: Expr = {
      op: 'add',
      value: 0.5,
      of: [ref(1.5), { op: 'neg', value: -1, of: [ref(1)] }],
    };
    expect(text(e)).toBe('1.500 − 1');
  });

  it('works a long sum out only as a whole', () => {
    const terms = Array.from({ length: 9 }, (): Expr => ({
      op: 'mul',
      value: 1,
      of: [ref(1.5), ref(1.5)],
    }));
    expect(workings({ op: 'add', value: 20.25, of: terms })).toHaveLength(1);
  });

  it('does not repeat what is already worked out', () => {
    expect(workings({ op: 'add', value: 3, of: [ref(1.5), ref(1.5)] })).toHaveLength(1);
  });

  it('names the consumer of a share of a gradient', () => {
    const e: Expr = {
      op: 'via',
      value: 1.5,
      node: 3,
      step: 'decoder.scores',
      of: [ref(1.5)],
    };
    expect(text(e)).toBe('decoder.scores: 1.500');
  });
});
