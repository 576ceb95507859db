// The logic of a race, of a model's map and of a decoder's cache.

import { describe, expect, it } from 'vitest';
import {
  hides,
  partOf,
  partsOf,
  sidesOf,
  froms,
} from '../../web/src/page/blocks/architecture/parts';
import { route, type Box } from '../../web/src/page/blocks/architecture/routes';
import { keepers, lengths } from '../../web/src/page/blocks/cache/kept';
import {
  behind,
  best,
  common,
  compared,
  finished,
  highest,
  marked,
} from '../../web/src/page/blocks/race/order';
import { Trace } from '../../web/src/page/store/trace';
import type { Operand, Progress, Step } from '../../web/src/shared/engine';

const progress = (epoch: number, batch = 0, more: Partial<Progress> = {}): Progress => ({
  state: 'training',
  epoch,
  epochs: 10,
  batch,
  batches: 4,
  history: Array.from({ length: epoch }, (_, i) => ({ epoch: i + 1, loss: 5 - i })),
  tokens_per_s: 1,
  tokens: 1,
  seconds: 1,
  moments: [],
  ...more,
});
const EPOCHS = { epochs: 10, seconds: undefined };
const TIME = { epochs: 10_000, seconds: 2 };

describe('a race', () => {
  it('gives the next slice to whoever is behind, by epochs or by time', () => {
    expect(behind([progress(2), progress(1, 3), progress(1, 2)], EPOCHS)).toBe(2);
    expect(behind([progress(9, 0, { seconds: 0.5 }), progress(1)], TIME)).toBe(0);
    expect(behind([progress(3), undefined], EPOCHS)).toBe(1);
  });

  it('ends when all are done, or out of time, or have diverged', () => {
    const done = progress(10, 0, { state: 'done' });
    expect(behind([done, progress(4, 0, { state: 'diverged' })], EPOCHS)).toBe(-1);
    expect(finished(progress(1, 0, { seconds: 2 }), TIME)).toBe(true);
    expect(finished(undefined, TIME)).toBe(false);
    expect(behind([], EPOCHS)).toBe(-1);
  });

  it('compares at the last epoch that all have finished; one that diverged is left out', () => {
    const lane = (at: Progress) => ({ progress: at, marks: marked([], at, 'loss') });
    const lanes = [
      lane(progress(3)),
      lane(progress(2)),
      lane(progress(1, 0, { state: 'diverged' })),
    ];
    expect(common(lanes)).toBe(2);
    expect(compared(lanes, EPOCHS)).toEqual([4, 4, undefined]);
    expect(compared(lanes, TIME)).toEqual([3, 4, undefined]);
    expect(common([])).toBe(0);
    expect(compared([lane(progress(0))], EPOCHS)).toEqual([undefined]);
  });

  it('marks an epoch once, with the time of the slice in which it ended', () => {
    const first = marked([], progress(2, 0, { seconds: 4 }), 'loss');
    expect(first.map(({ seconds, loss }) => [seconds, loss])).toEqual([
      [4, 5],
      [4, 4],
    ]);
    expect(marked(first, progress(2, 3, { seconds: 9 }), 'loss')).toBe(first);
  });

  it('draws as high as its lanes need, but for one that is far above the others', () => {
    const lane = (...losses: number[]) =>
      losses.map((loss, i) => ({ epoch: i + 1, seconds: i, loss }));
    expect(highest([lane(5, 4), lane(6, 3)])).toBe(6);
    expect(highest([lane(4, 2), lane(60, 30)])).toBe(10);
    expect(highest([lane(4), lane(NaN), []])).toBe(4);
    expect(highest([])).toBe(0);
  });

  it('knows the lowest and the highest; to diverge is to be highest', () => {
    expect(best([2, 1, 3], 'lowest')).toBe(1);
    expect(best([2, 1, 3], 'highest')).toBe(2);
    expect(best([2, undefined, 3], 'highest')).toBe(1);
    expect(best([undefined, 2], 'lowest')).toBe(1);
    expect(best([], 'lowest')).toBe(-1);
  });
});

const from = (name: string): Operand => ({ step: name, op: 'x', axes: [] });
const step = (name: string, operands: Operand[] = [], more: Partial<Step> = {}): Step => ({
  name,
  op: 'add',
  nodes: [0],
  axes: [],
  offset: 0,
  operands,
  ...more,
});

describe('a map of a model', () => {
  const steps = [
    step('source.ids'),
    step('encoder.input', [from('source.ids')]),
    step('encoder.0.attention.keys', [from('encoder.input'), from('encoder.W_k.weight')]),
    step('encoder.0.attention.weights', [from('encoder.0.attention.keys'), from('source.lengths')]),
    step('encoder.0.addnorm1.sum', [from('encoder.input'), from('encoder.0.attention.weights')]),
    step('encoder.0.addnorm1', [from('encoder.0.addnorm1.sum')]),
    step('decoder.0.cross.keys', [
      { op: 'reshape', axes: [], operands: [from('encoder.0.addnorm1')] },
    ]),
    step('decoder.input', [from('decoder.previous')]),
    step('decoder.0.cross.queries', [from('decoder.input')]),
    step('decoder.0.cross.weights'),
    step('decoder.loss'),
    step('encoder.W_k.weight', [], { op: 'parameter' }),
  ];
  const parts = partsOf(steps);

  it('has a part for each module, in the order in which they are finished', () => {
    expect(parts.map(({ name }) => name)).toEqual([
      'encoder.input',
      'encoder.0.attention',
      'encoder.0.addnorm1',
      'decoder.input',
      'decoder.0.cross',
      'decoder.loss',
    ]);
    expect(
      sidesOf(parts).map(({ name, groups }) => [name, groups.map(({ layer }) => layer)]),
    ).toEqual([
      ['encoder', [undefined, 0]],
      ['decoder', [undefined, 0, undefined]],
    ]);
    expect(partsOf([])).toEqual([]);
  });

  it('says what attention makes of what it takes, through what has no name, queries first', () => {
    const cross = parts.find(({ name }) => name === 'decoder.0.cross')!;
    expect(froms(cross)).toEqual([
      { part: 'decoder.input', roles: ['q'] },
      { part: 'encoder.0.addnorm1', roles: ['k'] },
    ]);
    const sum = parts.find(({ name }) => name === 'encoder.0.addnorm1')!;
    expect(froms(sum).map(({ part }) => part)).toEqual(['encoder.input', 'encoder.0.attention']);
  });

  it('leaves out what is no part', () => {
    for (const name of ['source.lengths', 'update.norm', 'decoder.lengths', 'encoder.0'])
      expect(partOf(name)).toBeUndefined();
  });

  it('tells masks apart by where they hide', () => {
    expect(hides([1, 1, 1, 1], 2, 2)).toBe('nothing');
    expect(hides([1, 0, 1, 0], 2, 2)).toBe('padding');
    expect(hides([1, 0, 1, 1], 2, 2)).toBe('future');
    expect(hides([1, 1, 0, 1], 2, 2)).toBe('other');
  });

  it('draws straight to the next box, round those between, and across', () => {
    const box = (column: number, order: number): Box => ({
      left: 100 * column,
      top: 40 * order,
      width: 80,
      height: 30,
      column,
      order,
    });
    expect(route(box(0, 0), box(0, 1))).toBe('M40 30V40');
    expect(route(box(0, 0), box(0, 2))).toMatch(/^M0 24H.*H0$/);
    expect(route(box(0, 0), box(1, 3))).toMatch(/^M80 15H\d+V135H100$/);
  });
});

describe('a cache', () => {
  const axes = [
    { name: 'time', size: 2 },
    { name: 'head', size: 1 },
    { name: 'key', size: 2 },
  ];
  const weights = step('decoder.0.self.weights', [], { axes, nodes: [0, 1], mask_offset: 4 });
  const run = (all: Step[]): Trace =>
    new Trace({
      head: { run: 1, steps: all },
      data: new Float32Array([1, 0, 0.5, 0.5, 1, 0, 1, 1]),
    });

  it('is as long as the mask of its turn says', () => {
    expect(keepers([step('decoder.0.self.keys'), weights])).toEqual(['decoder.0.self']);
    expect(lengths(run([weights]), 'decoder.0.self')).toEqual([1, 2]);
  });

  it('is not there in one pass, or in a model without one', () => {
    expect(lengths(run([]), 'decoder.0.self')).toEqual([]);
    expect(lengths(run([{ ...weights, axes: axes.slice(1) }]), 'decoder.0.self')).toEqual([]);
  });
});
