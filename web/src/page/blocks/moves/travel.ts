// Numbers that are moved and not changed: where each of them stands in one step after another. Pure.

import type { Axis } from '../../../shared/engine';
import { count } from '../../store/trace';
import type { Stop } from './schema';

/** Row-major: the place of a number as an index along each axis. */
export function indicesOf(axes: Axis[], flat: number): number[] {
  return axes.map((axis, i) => Math.floor(flat / count(axes.slice(i + 1))) % axis.size);
}

function flatOf(axes: Axis[], cell: number[]): number {
  return axes.reduce((sum, { size }, i) => sum * size + cell[i]!, 0);
}

/** The same axes in another order are a transpose: each number keeps its place along each axis. Anything else of the same
 *  size is a reshape: the numbers keep their order. Nothing where it is neither. */
export function carried(from: Axis[], to: Axis[]): ((flat: number) => number) | undefined {
  if (count(from) !== count(to)) return undefined;
  const places = to.map(({ name, size }) =>
    from.findIndex((axis) => axis.name === name && axis.size === size),
  );
  const same = from.length === to.length && places.every((place) => place >= 0);
  if (!same) return (flat) => flat;
  return (flat) => {
    const cell = indicesOf(from, flat);
    return flatOf(
      to,
      places.map((place) => cell[place]!),
    );
  };
}

export interface Traveller {
  home: number[]; // its cell in the step by which numbers are chosen
  cells: number[][]; // its cell at each stop
}

/** The numbers on show, each with its cell at every stop; `of` is the stop by whose axes they are chosen. */
export function travellers(
  stops: Axis[][],
  of: number,
  most: Record<string, number>,
): Traveller[] | undefined {
  const hops = stops.slice(1).map((to, i) => carried(stops[i]!, to));
  if (stops.length === 0 || hops.some((hop) => !hop)) return undefined;
  const all = Array.from({ length: count(stops[0]!) }, (_, first) => {
    let flat = first;
    const flats = [flat, ...hops.map((hop) => (flat = hop!(flat)))];
    const cells = flats.map((at, i) => indicesOf(stops[i]!, at));
    return { home: cells[of]!, cells };
  });
  return all.filter(({ home }) =>
    stops[of]!.every(({ name }, i) => home[i]! < (most[name] ?? Infinity)),
  );
}

// ---- where they stand on the page, in units of one number

export interface Group {
  x: number;
  y: number;
  width: number;
  height: number;
  at: Record<string, number>; // where it stands along its axes
}

export interface Layout {
  places: { x: number; y: number }[]; // one for each traveller
  groups: Group[];
  dots: { x: number; y: number }[]; // numbers are left out there
  width: number;
  height: number;
}

const DOTS = 0.6;
const SPLIT = 0.35; // between pieces of a row
const BESIDE = 0.7; // between matrices
const BELOW = 1.2;

const keyOf = (cell: number[]): string => cell.join();

/** Each once, in the order of their numbers. */
function distinct(cells: number[][]): number[][] {
  const each = new Map(cells.map((cell) => [keyOf(cell), cell]));
  return [...each.values()].sort((a, b) => {
    const i = a.findIndex((n, j) => n !== b[j]);
    return i < 0 ? 0 : a[i]! - b[i]!;
  });
}

interface Line {
  at: Map<string, number>;
  dots: number[];
  size: number;
}

/** Columns from left to right, with room for dots where numbers are left out and a gap where a piece ends. */
function along(keys: number[][], last: number): Line {
  const at = new Map<string, number>();
  const dots: number[] = [];
  let x = 0;
  keys.forEach((key, i) => {
    const next = keys[i + 1];
    at.set(keyOf(key), x);
    x += 1;
    const end = key.length - 1;
    const piece = next === undefined || key.slice(0, end).some((n, j) => n !== next[j]);
    const following = piece ? last : next[end]!;
    if (end >= 0 && key[end]! + 1 < following) {
      dots.push(x);
      x += DOTS;
    }
    if (next !== undefined && piece) x += SPLIT;
  });
  return { at, dots, size: x };
}

/** `room`: how many numbers fit side by side; matrices that do not fit beside each other go on below. */
export function layOut(stop: Stop, axes: Axis[], cells: number[][], room: number): Layout {
  const pick =
    (names: string[]) =>
    (cell: number[]): number[] =>
      names.map((name) => cell[axes.findIndex((axis) => axis.name === name)] ?? 0);
  const [down, beside, rows, cols] = [stop.down, stop.beside, stop.rows, stop.cols].map(pick) as [
    (cell: number[]) => number[],
    (cell: number[]) => number[],
    (cell: number[]) => number[],
    (cell: number[]) => number[],
  ];
  const last = axes.find(({ name }) => name === stop.cols.at(-1))?.size ?? 0;
  const across = along(distinct(cells.map(cols)), last);
  const lines = distinct(cells.map(rows)).map(keyOf);
  const size = { width: across.size, height: lines.length };
  const [downs, besides] = [distinct(cells.map(down)), distinct(cells.map(beside))];
  const abreast = Math.max(1, Math.floor((room + BESIDE) / (size.width + BESIDE)));
  const turns = Math.ceil(besides.length / abreast);

  const groups = downs.flatMap((d, i) =>
    besides.map((b, j): Group & { key: string } => ({
      ...size,
      x: (j % abreast) * (size.width + BESIDE),
      y: BELOW + (i * turns + Math.floor(j / abreast)) * (size.height + BELOW),
      at: Object.fromEntries([
        ...stop.down.map((name, k) => [name, d[k]!]),
        ...stop.beside.map((name, k) => [name, b[k]!]),
      ]) as Record<string, number>,
      key: `${keyOf(d)}/${keyOf(b)}`,
    })),
  );
  const byKey = new Map(groups.map((group) => [group.key, group]));
  const places = cells.map((cell) => {
    const group = byKey.get(`${keyOf(down(cell))}/${keyOf(beside(cell))}`)!;
    return {
      x: group.x + across.at.get(keyOf(cols(cell)))!,
      y: group.y + lines.indexOf(keyOf(rows(cell))),
    };
  });
  const dots = groups.flatMap(({ x, y }) =>
    across.dots.flatMap((at) => lines.map((_, line) => ({ x: x + at, y: y + line }))),
  );
  return {
    places,
    groups: groups.map(({ key: _, ...group }) => group),
    dots,
    width: Math.max(0, ...groups.map(({ x, width }) => x + width)),
    height: Math.max(0, ...groups.map(({ y, height }) => y + height)),
  };
}

/** The number that one goes to with an arrow key: the nearest in that direction, in its own row or column first. */
export function neighbour(
  places: { x: number; y: number }[],
  from: number,
  key: string,
): number | undefined {
  const turn = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  const here = places[from];
  if (!turn || !here) return undefined;
  const [dx, dy] = turn as [number, number];
  let best: { i: number; far: number } | undefined;
  places.forEach(({ x, y }, i) => {
    const [ahead, aside] = [
      (x - here.x) * dx + (y - here.y) * dy,
      (x - here.x) * dy + (y - here.y) * dx,
    ];
    if (ahead < 0.5) return;
    const far = ahead + 8 * Math.abs(aside);
    if (!best || far < best.far) best = { i, far };
  });
  return best?.i;
}
