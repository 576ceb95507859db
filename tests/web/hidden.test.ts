// A number that a lesson asks for: what is left of a run, and of a sum, without it.

import { describe, expect, it } from 'vitest';
import { plain, workings } from '../../web/src/page/inspect/expression';
import { gridOf } from '../../web/src/page/parts/grid';
import { veiled } from '../../web/src/page/parts/paint';
import { csv, longCsv } from '../../web/src/page/parts/tables';
import { withheld } from '../../web/src/page/store/hidden';
import { Trace } from '../../web/src/page/store/trace';
import type { Explained, Expr, Step } from '../../web/src/shared/engine';

const weights: Step = {
  name: 'decoder.weights',
  op: 'softmax',
  nodes: [1, 2],
  axes: [
    { name: 'time', size: 2 },
    { name: 'key', size: 3 },
  ],
  offset: 0,
  operands: [],
};
const run = new Trace({
  head: { run: 1, steps: [weights] },
  data: Float32Array.of(0.5, 0.25, 0.25, 0.125, 0.75, 0.125),
});
const hidden = { step: 'decoder.weights', cell: [1, 1], value: 0.75 };

describe('a run without one of its numbers', () => {
  const without = run.without('decoder.weights', [1, 1]);
  const map = gridOf(without, weights, { rows: 0, cols: 1, fixed: [] });

  it('has it neither as a value nor in a map, whose cell is hatched and says why', () => {
    expect(without.at(weights, [1, 1])).toBeNaN();
    expect(run.at(weights, [1, 1])).toBe(0.75);
    expect(map.value(1, 1)).toBeNaN();
    expect([map.veil(1, 1), map.veil(0, 1)]).toEqual(['asked', undefined]);
    expect(veiled(map)).toEqual([{ row: 1, first: 1, count: 1 }]);
    expect(map.masked).toBe(false);
  });

  it('has it in no file', () => {
    for (const text of [csv(map), longCsv(weights, without.values(weights))]) {
      expect(text).not.toContain('0.75');
      expect(text).toContain('NaN');
    }
  });

  it('is the run itself where there is no such cell', () => {
    expect(run.without('decoder.weights', [2, 0])).toBe(run);
    expect(run.without('decoder.context', [0])).toBe(run);
  });

  it('is over when the run is', async () => {
    const other = new Trace({ head: run.ran, data: new Float32Array(6) });
    const part = other.without('decoder.weights', [0, 0]);
    expect(part.closed).toBe(false);
    await other.close();
    expect(part.closed).toBe(true);
  });
});

const ref = (cell: number[], time: number, value: number, step = 'decoder.weights'): Expr => ({
  op: 'ref',
  node: 9,
  step,
  time,
  cell,
  value,
});
const explained = (more: Partial<Explained>): Explained => ({
  node: 9,
  op: 'matmul',
  axes: [],
  cell: [1],
  gradient: false,
  stored: 3,
  kind: 'computed',
  where: [],
  ...more,
});

describe('a sum', () => {
  it('of the number itself is left out', () => {
    const own = explained({ step: 'decoder.weights', time: 1, expr: ref([0], 0, 1), stored: 0.75 });
    const told = withheld(own, hidden);
    expect(told).toMatchObject({ hidden: true, stored: NaN, where: [] });
    expect(told.expr).toBeUndefined();
    expect(withheld({ ...own, gradient: true }, hidden).stored).toBe(0.75);
  });

  it('that reads it leaves it open, and whatever was worked out from it', () => {
    const product: Expr = { op: 'mul', of: [ref([1], 1, 0.75), ref([0], 0, 4)], value: 3 };
    const sum: Expr = { op: 'add', of: [product, ref([0], 1, 0.125)], value: 3.125 };
    const { expr } = withheld(explained({ expr: sum }), hidden);
    const lines = workings(expr!).map(plain);
    expect(lines).toEqual(['?·4 + 0.125']);
    expect(JSON.stringify(expr)).not.toContain('0.75');
  });

  it('keeps it open behind a name, too, and where it has no name on its way', () => {
    const unnamed = { op: 'ref', node: 7, cell: [4], value: 0.75 } as Expr;
    const named: Expr = { op: 'name', name: 'mean', value: 0.75 };
    const told = withheld(
      explained({ expr: named, where: [{ name: 'mean', expr: unnamed }] }),
      hidden,
    );
    expect([told.expr!.hidden, told.where[0]!.expr.hidden]).toEqual([true, true]);
  });
});
