import { describe, expect, test } from 'vitest';
import { convolution, direct, readPair, recurrent } from '../../web/src/page/blocks/paths/paths';

/** As the lab finds it: after each layer the first word is heard so many places further. */
const reach = (n: number, ends: number[]): number[][] =>
  ends.map((end) => Array.from({ length: n }, (_, t) => (t <= end ? 1 : 0)));

describe('paths', () => {
  test('a pair of words is read in either order, and only if there are two of them', () => {
    expect(readPair('7,1', 10)).toEqual([1, 7]);
    for (const wrong of ['', '3', '3,3', '1,10', 'a,b', '-1,2'])
      expect(readPair(wrong, 10)).toBeUndefined();
  });

  test('a convolution goes up a layer a hop, along edges that its window has', () => {
    const picture = convolution(reach(7, [2, 4, 6]), 3, () => 1, 1);
    expect([picture.rows, picture.hops]).toEqual([3, 3]);
    const way = picture.edges.filter((edge) => edge.way);
    expect(way.map(({ from, to }) => [from.col, to.col])).toEqual([
      [1, 3],
      [3, 5],
      [5, 7],
    ]);
    for (const { from, to } of picture.edges) {
      expect(to.row - from.row).toBe(1);
      expect(to.col - from.col).toBeLessThanOrEqual(2);
      expect(to.col).toBeGreaterThanOrEqual(from.col);
    }
  });

  test('dilated, each layer leaps farther', () => {
    const picture = convolution(reach(7, [2, 6]), 3, (layer) => 3 ** layer, 0);
    const way = picture.edges.filter((edge) => edge.way);
    expect(way.map(({ from, to }) => [from.col, to.col])).toEqual([
      [0, 0],
      [0, 6],
    ]);
  });

  test('a recurrent layer goes from state to state, attention at once', () => {
    const chain = recurrent(4, 2);
    expect(chain.edges.filter(({ hop }) => hop > 0)).toHaveLength(4);
    expect(chain.lit.at(-1)).toEqual({ row: 1, col: 6, hop: 4 });
    const one = direct(1, 5, 0, 4);
    expect(one.edges).toHaveLength(5);
    expect(one.edges.filter(({ way }) => way)).toEqual([
      { from: { row: 0, col: 0 }, to: { row: 1, col: 4 }, hop: 1, way: true },
    ]);
  });
});
