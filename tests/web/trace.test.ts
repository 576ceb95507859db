import { describe, expect, it } from 'vitest';
import type { Axis, Step } from '../../web/src/shared/engine';
import { grid, largest, place, range, usualLayout } from '../../web/src/page/parts/grid';
import { sharesOut } from '../../web/src/page/parts/shares';
import { readEdits, requested, withEdit, writeEdits } from '../../web/src/page/blocks/stage/edits';
import { groups, stopAt, stops, updated } from '../../web/src/page/blocks/stage/stops';
import { inside, isStacked, position, Trace } from '../../web/src/page/store/trace';

const axis = (name: string, size: number, labels?: string[]): Axis => ({
  name,
  size,
  ...(labels && { labels }),
});
const step = (name: string, axes: Axis[], more: Partial<Step> = {}): Step => ({
  name,
  op: 'softmax',
  nodes: [1],
  axes,
  offset: 0,
  operands: [],
  ...more,
});
const counting = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => i);

const weights = step(
  'decoder.weights',
  [
    axis('time', 3, ['je', 'suis', '<eos>']),
    axis('batch', 1),
    axis('query', 1),
    axis('key', 4, ["i'm", 'home', '<eos>', '<pad>']),
  ],
  { nodes: [5, 9, 13], op: 'masked_softmax' },
);

describe('a step as rows and columns', () => {
  it('puts the turns of a loop down and the keys across, padding left out', () => {
    const map = grid(weights, counting(12), {
      ...usualLayout(weights),
      fixed: [],
    });
    expect(map.rows.labels).toEqual(['je', 'suis', '<eos>']);
    expect(map.cols.labels).toEqual(["i'm", 'home', '<eos>']);
    expect(map.hidden).toBe(1);
    expect(map.rows.means).toBe('query');
    expect(map.value(1, 2)).toBe(6);
    expect(map.cell(1, 2)).toEqual([1, 0, 0, 2]);
  });

  it('finds the place of a cell, and none for one that is not shown', () => {
    const map = grid(weights, counting(12), {
      ...usualLayout(weights),
      fixed: [],
    });
    expect(place(map, [2, 0, 0, 1])).toEqual({ row: 2, col: 1 });
    expect(place(map, [2, 0, 0, 3])).toBeUndefined();
    expect(place(map, [3, 0, 0, 0])).toBeUndefined();
  });

  it('takes one turn at a time where two other axes are wide', () => {
    const features = step('f', [axis('time', 3), axis('key', 4), axis('feature', 8)], {
      nodes: [1, 2, 3],
    });
    expect(usualLayout(features)).toEqual({ rows: 1, cols: 2 });
    const map = grid(features, counting(96), {
      rows: 1,
      cols: 2,
      fixed: [2, 0, 0],
    });
    expect(map.value(1, 3)).toBe(2 * 32 + 8 + 3);
  });

  it('shows a vector as one row and a number as one cell', () => {
    const vector = step('v', [axis('hidden', 5)]);
    expect(usualLayout(vector)).toEqual({ cols: 0 });
    expect(grid(vector, counting(5), { cols: 0, fixed: [] }).rows.indices).toHaveLength(1);
    const scalar = step('s', []);
    expect(grid(scalar, counting(1), { fixed: [] }).cell(0, 0)).toEqual([]);
  });

  it('knows its extremes and its largest entries', () => {
    const map = grid(weights, counting(12), {
      ...usualLayout(weights),
      fixed: [],
    });
    expect(range(map)).toEqual({ min: 0, max: 10 });
    expect(largest(map, 0, 2)).toEqual([2, 1]);
  });

  it('shows chosen columns in the order asked for', () => {
    const map = grid(weights, counting(12), { rows: 0, cols: 3, fixed: [] }, { cols: [2, 0] });
    expect(map.cols.labels).toEqual(['<eos>', "i'm"]);
    expect(map.cell(0, 0)).toEqual([0, 0, 0, 2]);
  });

  it('knows whose rows share out 1: what a softmax made, and nothing else', () => {
    const map = grid(weights, counting(12), {
      ...usualLayout(weights),
      fixed: [],
    });
    expect(sharesOut(map)).toBe(true);
    const sums = step('s', [axis('query', 2), axis('key', 2)], { op: 'add' });
    expect(sharesOut(grid(sums, counting(4), { rows: 0, cols: 1, fixed: [] }))).toBe(false);
  });
});

describe('a trace', () => {
  it('reads cells in row-major order', () => {
    expect(position([axis('a', 2), axis('b', 3), axis('c', 4)], [1, 2, 3])).toBe(23);
    expect(inside([axis('a', 2)], [2])).toBe(false);
    expect(inside([axis('a', 2)], [1, 0])).toBe(false);
  });

  it('names the steps there are when one is missing', () => {
    const trace = new Trace({
      head: { run: 1, steps: [weights] },
      data: counting(12),
    });
    expect(trace.at(weights, [1, 0, 0, 1])).toBe(5);
    expect(() => trace.step('decoder.wieghts')).toThrow(
      'no step "decoder.wieghts" in this run (there are: decoder.weights)',
    );
  });

  it('tells a loop from an ordinary first axis', () => {
    expect(isStacked(weights)).toBe(true);
    expect(isStacked(step('one', [axis('time', 1), axis('hidden', 4)]))).toBe(true);
    expect(isStacked(step('x', [axis('batch', 1), axis('hidden', 4)]))).toBe(false);
  });
});

describe('the order of stops', () => {
  const loop = (name: string, n: number): Step =>
    step(name, [axis('time', n), axis('hidden', 4)], {
      nodes: Array.from({ length: n }, (_, i) => i),
    });
  const plain = (name: string): Step => step(name, [axis('hidden', 4)]);
  const steps = [
    plain('encoder.embedding'),
    plain('encoder.hidden'),
    loop('decoder.query', 2),
    loop('decoder.weights', 2),
    loop('decoder.0.state', 2),
  ];

  it('goes through a loop turn by turn, across its modules', () => {
    expect(
      stops(steps).map(({ step: at, time }) => (time === undefined ? `${at}` : `${at}@${time}`)),
    ).toEqual(['0', '1', '2@0', '3@0', '4@0', '2@1', '3@1', '4@1']);
  });

  it('groups neighbours of one module', () => {
    expect(
      groups(steps, 'forward').map((group) => [group.module, group.steps.length, group.turns]),
    ).toEqual([
      ['encoder', 2, 0],
      ['decoder', 2, 2],
      ['decoder.0', 1, 2],
    ]);
  });

  it('finds the stop of a step at a turn, the last turn if there are fewer', () => {
    const all = stops(steps);
    expect(stopAt(all, 'forward', 3, 1)).toBe(6);
    expect(stopAt(all, 'forward', 3, 9)).toBe(6);
    expect(stopAt(all, 'forward', 1, 9)).toBe(1);
  });

  it('goes back from the end with the gradients, a loop turn by turn, its weights after all turns', () => {
    const graded = (each: Step): Step => ({ ...each, gradient_offset: 0 });
    const weight = (name: string): Step =>
      step(name, [axis('row', 4), axis('column', 4)], { op: 'parameter' });
    const run = [
      plain('source.ids'), // no gradient: a step like any other forward, none backward
      graded(plain('encoder.hidden')),
      graded(loop('decoder.query', 2)),
      graded(weight('decoder.attention.W_q.weight')),
      graded(loop('decoder.weights', 2)),
      graded(plain('loss')),
    ];
    const told = (pass: string): string[] =>
      stops(run)
        .filter((stop) => stop.pass === pass)
        .map(({ step: at, time }) => (time === undefined ? `${at}` : `${at}@${time}`));
    expect(told('forward')).toEqual(['0', '1', '2@0', '4@0', '2@1', '4@1', '5']);
    expect(told('backward')).toEqual(['5', '4@1', '2@1', '4@0', '2@0', '3', '1']);
    expect(groups(run, 'backward').map((g) => [g.module, g.weights, ...g.steps])).toEqual([
      ['', false, 5],
      ['decoder', false, 4, 2],
      ['decoder', true, 3],
      ['encoder', false, 1],
    ]);
  });

  it('has a door to a pass that is not computed yet', () => {
    expect(stops(steps, ['backward', 'update']).slice(-2)).toEqual([
      { pass: 'backward' },
      { pass: 'update' },
    ]);
    expect(stopAt(stops(steps, ['backward']), 'backward', 0, 0)).toBe(stops(steps).length);
  });

  it('follows one parameter through the optimiser', () => {
    const run = [
      'update.a.weight.gradient',
      'update.b.weight.gradient',
      'update.norm',
      'update.a.weight.value',
      'update.b.weight.value',
    ].map(plain);
    expect(updated(run)).toEqual(['a.weight', 'b.weight']);
    const names = (parameter?: string): string[] =>
      stops(run, [], parameter).map((stop) => run[stop.step!]!.name);
    expect(names('b.weight')).toEqual([
      'update.b.weight.gradient',
      'update.norm',
      'update.b.weight.value',
    ]);
    expect(names()).toEqual(names('a.weight'));
  });
});

describe('edits in a link', () => {
  it('are read as they were written', () => {
    const edits = [
      { step: 'decoder.scores', time: 2, cell: [0, 0, 1], value: -3.5e-7 },
      { step: 'learned.w', cell: [], value: 2 },
    ];
    const text = writeEdits(edits);
    expect(text).toBe('decoder.scores@2:0,0,1=-3.5e-7;learned.w:=2');
    expect(readEdits(text)).toEqual(edits);
    expect(requested(edits)).toEqual(edits);
  });

  it('are refused where they are no edits', () => {
    for (const wrong of ['x', 'a:1', 'a:1=', 'a:1=NaN', 'a:1,=2', 'a@x:1=2', '<b>:1=2'])
      expect(readEdits(wrong)).toBeUndefined();
    expect(readEdits('')).toEqual([]);
  });

  it('count once a number: the last one', () => {
    const first = { step: 'a', cell: [1], value: 1 };
    const second = { step: 'a', cell: [1], value: 2 };
    expect(withEdit([first, { ...first, cell: [2] }], second)).toEqual([
      { ...first, cell: [2] },
      second,
    ]);
  });
});
