import { describe, expect, test } from 'vitest';
import {
  changed,
  nearestLength,
  readLengths,
  rowsOf,
  stepped,
} from '../../web/src/page/blocks/lengths/lengths';
import { cellOf, sizesOf, stretched } from '../../web/src/page/blocks/broadcast/stretch';
import type { Step } from '../../web/src/shared/engine';

const axes = (...all: [string, number][]) => all.map(([name, size]) => ({ name, size }));
const step = (name: string, ...all: [string, number][]): Step => ({
  name,
  op: 'input',
  nodes: [0],
  axes: axes(...all),
  offset: 0,
  operands: [],
});

describe('valid lengths', () => {
  test('are read from a link only where they fit', () => {
    expect(readLengths('2,3', 2, 4)).toEqual([2, 3]);
    expect(readLengths('0', 1, 4)).toEqual([0]);
    for (const wrong of ['', '2', '2,3,1', '2,5', '2,-1', '2,1.5', 'a,b', '2,'])
      expect(readLengths(wrong, 2, 4)).toBeUndefined();
  });

  test('a handle moves by keys and stays within its row', () => {
    expect([stepped('ArrowLeft', 0, 4), stepped('ArrowRight', 4, 4)]).toEqual([0, 4]);
    expect([stepped('Home', 3, 4), stepped('End', 3, 4), stepped('Tab', 3, 4)]).toEqual([
      0,
      4,
      undefined,
    ]);
    expect(changed([1, 3, 2], 1, 4)).toEqual([1, 4, 2]);
  });

  test('a handle that is dragged snaps to the nearest boundary', () => {
    expect([-1, 0.1, 0.13, 0.6, 2].map((share) => nearestLength(share, 4))).toEqual([
      0, 0, 1, 2, 4,
    ]);
  });

  test('one length an example is shared by its queries, one a query is not', () => {
    const of = axes(['batch', 2], ['query', 2], ['key', 4]);
    expect(rowsOf(of, 2).map(({ which, first, span }) => [which, first, span])).toEqual([
      [0, true, 2],
      [0, false, 2],
      [1, true, 2],
      [1, false, 2],
    ]);
    expect(rowsOf(of, 4).map(({ which, first, span }) => [which, first, span])).toEqual([
      [0, true, 1],
      [1, true, 1],
      [2, true, 1],
      [3, true, 1],
    ]);
    expect(rowsOf(of, 2)[3]!.cells[2]).toEqual([1, 1, 2]);
    expect(rowsOf(axes(['key', 3]), 1)[0]!.cells).toEqual([[0], [1], [2]]);
    const words = rowsOf(axes(['batch', 3], ['query', 4]), 3); // a row a sentence
    expect(words.map(({ which, first }) => [which, first])).toEqual([
      [0, true],
      [1, true],
      [2, true],
    ]);
    expect(words[1]!.cells[3]).toEqual([1, 3]);
  });
});

describe('broadcasting', () => {
  const left = step('q', ['batch', 2], ['query', 3], ['feature', 8]);
  const right = step('k', ['batch', 2], ['key', 10], ['feature', 8]);
  const result = step('f', ['batch', 2], ['query', 3], ['key', 10], ['feature', 8]);

  test('each lacks the axis of the other', () => {
    expect(stretched(left, right, result)).toEqual({
      rows: { name: 'query', size: 3 },
      cols: { name: 'key', size: 10 },
    });
    expect(stretched(result, right, result)).toBeUndefined();
  });

  test('has size 1 there until it is stretched', () => {
    const sizes = (filled: boolean) => sizesOf(left, result, filled).map(({ size }) => size);
    expect(sizes(false)).toEqual([2, 3, 1, 8]);
    expect(sizes(true)).toEqual([2, 3, 10, 8]);
    expect(cellOf(right, { batch: 1, query: 2, key: 4, feature: 0 })).toEqual([1, 4, 0]);
  });
});
