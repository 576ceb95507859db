import { describe, expect, test } from 'vitest';
import type { Ran } from '../../web/src/shared/engine';
import { asked, laid, numbers } from '../../web/src/page/blocks/table/runs';
import { options } from '../../web/src/page/blocks/table/schema';
import { Trace } from '../../web/src/page/store/trace';

const words = { zh: '词', en: 'words' };

function table(...cells: object[]) {
  const read = options(
    { session: 'it', cols: [words], rows: cells.map((cell) => ({ head: words, cells: [cell] })) },
    'block',
  );
  return laid(read).flat();
}

function traceOf(sizes: number[], data: number[]): Trace {
  const axes = sizes.map((size, i) => ({ name: `axis${i}`, size }));
  const step = { name: 'x', op: 'input', nodes: [0], axes, offset: 0, operands: [] };
  const head: Ran = { run: 0, steps: [step] };
  return new Trace({ head, data: Float32Array.from(data) });
}

describe('the runs of a table', () => {
  test('cells that ask the same share one, with the steps of both', () => {
    const runs = asked(table({ step: 'a' }, { step: 'b' }, { step: 'a' }, { text: words }));
    expect([...runs.values()].map(({ want }) => want)).toEqual([['a', 'b']]);
  });

  test('other inputs, other edits or another session make another', () => {
    const edit = { step: 'x', cell: [0], value: 1 };
    const runs = asked(
      table(
        { step: 'a' },
        { step: 'a', inputs: { n: 2 } },
        { step: 'a', edits: [edit] },
        { step: 'a', session: 'other' },
      ),
    );
    expect(
      [...runs.values()].map(({ session, inputs, edits }) => [session, inputs, edits.length]),
    ).toEqual([
      ['it', {}, 0],
      ['it', { n: 2 }, 0],
      ['it', {}, 1],
      ['other', {}, 0],
    ]);
  });
});

test('what a column or a row says holds for its cells, and the nearer word counts', () => {
  const cols = [
    { ...words, step: 'a', inputs: { n: 1, m: 1 } },
    { ...words, step: 'b', as: 'share' },
  ];
  const rows = [
    { head: words, session: 'first', role: 'soft', inputs: { n: 2 } },
    { head: words, cells: [{ step: 'c', at: [1] }, { text: '4.3%' }] },
  ];
  const all = laid(options({ session: 'it', inputs: { k: 0 }, cols, rows }, 'block'));
  const told = all.map((row) => row.map(({ step, session, inputs }) => [step, session, inputs]));
  expect(told).toEqual([
    [
      ['a', 'first', { k: 0, n: 2, m: 1 }],
      ['b', 'first', { k: 0, n: 2 }],
    ],
    [
      ['c', 'it', { k: 0, n: 1, m: 1 }],
      ['b', 'it', { k: 0 }],
    ],
  ]);
  expect(all[0]![0]!.role).toBeUndefined(); // a row's colour is that of its head
  expect(all[0]![1]!.as).toBe('share');
  expect(all[1]!.map(({ at, text }) => [at, text])).toEqual([
    [[1], undefined],
    [[], '4.3%'],
  ]);
});

describe('the numbers of a cell', () => {
  const trace = traceOf([2, 3], [0, 1, 2, 3, 4, 5]);
  const cell = (at: number[]) => table({ step: 'x', at })[0]!;

  test('are all that stand below the indices given, with their places', () => {
    expect(numbers(trace, cell([1]))).toEqual([
      { value: 3, cell: [1, 0] },
      { value: 4, cell: [1, 1] },
      { value: 5, cell: [1, 2] },
    ]);
    expect(numbers(trace, cell([])).map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(numbers(trace, cell([0, 2]))).toEqual([{ value: 2, cell: [0, 2] }]);
  });

  test('are a metric of the run where it has no such step, and then open nowhere', () => {
    const head: Ran = { run: 0, steps: [], metrics: { bleu: 0.5 } };
    const measured = table({ step: 'bleu' })[0]!;
    expect(numbers(new Trace({ head }), measured)).toEqual([{ value: 0.5 }]);
  });

  test('a place that is not there, and too many numbers, are told', () => {
    expect(() => numbers(trace, cell([2]))).toThrow('x has no cell 2');
    expect(() => numbers(traceOf([13], Array<number>(13).fill(0)), cell([]))).toThrow('13 numbers');
  });
});
