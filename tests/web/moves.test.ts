import { describe, expect, test } from 'vitest';
import type { Axis } from '../../web/src/shared/engine';
import type { Stop } from '../../web/src/page/blocks/moves/schema';
import { carried, layOut, neighbour, travellers } from '../../web/src/page/blocks/moves/travel';

const axes = (...all: [string, number][]): Axis[] => all.map(([name, size]) => ({ name, size }));
const both = { zh: '', en: '' };
const stop = (given: Partial<Stop>): Stop => ({
  step: 'x',
  down: [],
  beside: [],
  rows: [],
  cols: [],
  title: both,
  says: both,
  ...given,
});

// 2 examples of 4 words, 100 features, 5 heads.
const [B, T, H, D] = [2, 4, 5, 20];
const input = axes(['batch', B], ['time', T], ['feature', H * D]);
const cut = axes(['batch', B], ['time', T], ['head', H], ['feature', D]);
const moved = axes(['batch', B], ['head', H], ['time', T], ['feature', D]);
const split = axes(['row', B * H], ['time', T], ['feature', D]);
const way = [input, cut, moved, split, moved, cut, input];

describe('numbers that are moved', () => {
  test('row b·heads + h of the stack holds head h of example b', () => {
    const all = travellers(way, 1, {})!;
    expect(all.length).toBe(800);
    for (const { home, cells } of all) {
      const [b, t, h, f] = home as [number, number, number, number];
      expect(cells[0]).toEqual([b, t, h * D + f]);
      expect(cells[2]).toEqual([b, h, t, f]);
      expect(cells[3]).toEqual([b * H + h, t, f]);
    }
  });

  test('the way back ends where it began', () => {
    for (const { cells } of travellers(way, 1, {})!) expect(cells[6]).toEqual(cells[0]);
  });

  test('a reshape keeps the order of all numbers, a transpose does not', () => {
    const order = (from: Axis[], to: Axis[]): number[] =>
      Array.from({ length: 800 }, (_, i) => carried(from, to)!(i));
    const counted = Array.from({ length: 800 }, (_, i) => i);
    expect(order(input, cut)).toEqual(counted);
    expect(order(moved, split)).toEqual(counted);
    expect(order(cut, moved)).not.toEqual(counted);
    expect(carried(cut, moved)!(D)).toBe(T * D); // head 2 of the first word begins behind all words of head 1
  });

  test('only so many along an axis are on show; steps of different size are refused', () => {
    expect(travellers(way, 1, { feature: 2 })!.length).toBe(80);
    expect(travellers([input, axes(['batch', 3])], 0, {})).toBeUndefined();
  });
});

describe('where they stand', () => {
  const shown = travellers(way, 1, { feature: 2 })!;
  const at = (i: number): number[][] => shown.map(({ cells }) => cells[i]!);

  test('a row of 100 leaves dots where numbers are left out', () => {
    const laid = layOut(
      stop({ down: ['batch'], rows: ['time'], cols: ['feature'] }),
      input,
      at(0),
      100,
    );
    expect(laid.groups.length).toBe(2);
    expect(laid.groups[0]).toMatchObject({ height: 4, at: { batch: 0 } });
    expect(laid.dots.length).toBe(2 * 4 * 5);
    expect(new Set(laid.places.map(({ x, y }) => `${x},${y}`)).size).toBe(80);
  });

  test('matrices that do not fit beside each other go on below, in order', () => {
    const of = stop({ beside: ['row'], rows: ['time'], cols: ['feature'] });
    const wide = layOut(of, split, at(3), 100);
    expect(new Set(wide.groups.map(({ y }) => y)).size).toBe(1);
    const narrow = layOut(of, split, at(3), 10);
    expect(narrow.width).toBeLessThanOrEqual(10);
    const order = narrow.groups.map(({ x, y }) => y * 1000 + x);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(narrow.groups.map((group) => group.at['row'])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('arrow keys go to the neighbour, and nowhere at the edge', () => {
    const places = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 0, y: 1 },
      { x: 1, y: 1 },
    ];
    expect(neighbour(places, 0, 'ArrowRight')).toBe(1);
    expect(neighbour(places, 0, 'ArrowDown')).toBe(2);
    expect(neighbour(places, 3, 'ArrowUp')).toBe(1);
    expect(neighbour(places, 0, 'ArrowLeft')).toBeUndefined();
    expect(neighbour(places, 0, 'Enter')).toBeUndefined();
  });
});
