// What can be said about a wrong answer. The engine has marked it; here its numbers are looked through for one that the
// learner may have meant. No answer is stored: everything is read from the run. Pure.

import type { Axis, Explained, Expr, Step } from '../../../shared/engine';
import type { Grid } from '../../parts/grid';
import type { Place } from '../../parts/paint';

/** As it would be typed on a plain keyboard: full-width digits, a comma for a point and a true minus are understood. */
export function plainNumber(typed: string): string {
  const text = typed.normalize('NFKC').replace(/[−–—]/g, '-').replace(/\s+/g, '');
  return /^[^.]*,[^,.]*$/.test(text) ? text.replace(',', '.') : text;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i; // what float32 has room for

export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** What the value rounds to at the digits typed, as the engine marks where there are two digits or more. */
export function agrees(typed: string, value: number): boolean {
  const [digits = '', power = '0'] = typed.toLowerCase().split('e');
  const decimals = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
  const half = 0.5 * 10 ** (Number(power) - decimals);
  return Math.abs(Number(typed) - value) <= half * (1 + 1e-9) + 1e-6 * Math.abs(value); // values are float32
}

/** So few digits fit many numbers: what they fit says nothing. */
function says(typed: string): boolean {
  const [digits = ''] = typed.toLowerCase().split('e');
  return digits.replace(/[^\d]/g, '').replace(/^0+/, '').length >= 2;
}

export type Likeness =
  | { like: 'sign' }
  | { like: 'shift' } // right digits, the point elsewhere
  | { like: 'transposed' }
  | { like: 'cell'; place: Place }
  | { like: 'operand'; step: string | undefined; cell: number[] }
  | { like: 'numerator' | 'factor'; by: number } // still to be divided, or multiplied, by that
  | { like: 'inside'; of: Expr['op'] } // what a function is taken of
  | { like: 'part' };

export function likeness(
  typed: string,
  explained: Explained,
  map: Grid,
  hidden: Place,
): Likeness | undefined {
  if (!says(typed)) return undefined;
  const { stored, expr, where } = explained;
  if (!agrees(typed, 0) && agrees(opposite(typed), stored)) return { like: 'sign' };
  return (
    swapped(typed, map, hidden) ??
    (expr && within(typed, expr, where)) ??
    neighbour(typed, map, hidden) ??
    (shifted(typed, stored) ? { like: 'shift' } : undefined)
  );
}

function opposite(typed: string): string {
  return typed.startsWith('-') ? typed.slice(1) : `-${typed.replace(/^\+/, '')}`;
}

const SHIFTS = [-3, -2, -1, 1, 2, 3];

function shifted(typed: string, stored: number): boolean {
  const [digits, power = '0'] = typed.toLowerCase().split('e');
  return SHIFTS.some((by) => agrees(`${digits}e${Number(power) + by}`, stored));
}

function swapped(typed: string, map: Grid, { row, col }: Place): Likeness | undefined {
  const inside = col < map.rows.indices.length && row < map.cols.indices.length;
  if (row === col || !inside) return undefined;
  return agrees(typed, map.value(col, row)) ? { like: 'transposed' } : undefined;
}

/** Another number of the same row or column. */
function neighbour(typed: string, map: Grid, { row, col }: Place): Likeness | undefined {
  const places = [
    ...map.cols.indices.map((_, at) => ({ row, col: at })),
    ...map.rows.indices.map((_, at) => ({ row: at, col })),
  ].filter((at) => at.row !== row || at.col !== col);
  const place = places.find((at) => agrees(typed, map.value(at.row, at.col)));
  return place && { like: 'cell', place };
}

/** A number on the way to the result: an operand, a sum not yet divided, the inside of a function. */
function within(
  typed: string,
  e: Expr,
  where: Explained['where'],
  outer: Expr | undefined = undefined,
): Likeness | undefined {
  if (outer && agrees(typed, e.value)) return onTheWay(e, outer);
  const parts = 'of' in e ? e.of : [];
  const named = e.op === 'name' ? where.find(({ name }) => name === e.name)?.expr : undefined;
  for (const part of named ? [named] : parts) {
    const found = within(typed, part, where, e);
    if (found) return found;
  }
  return undefined;
}

const FUNCTIONS = new Set<Expr['op']>([
  'exp',
  'log',
  'tanh',
  'sigmoid',
  'sqrt',
  'square',
  'relu',
  'abs',
  'sin',
  'cos',
]);

function onTheWay(e: Expr, outer: Expr): Likeness {
  if (e.op === 'ref') return { like: 'operand', step: e.step, cell: fullCell(e) };
  if (FUNCTIONS.has(outer.op)) return { like: 'inside', of: outer.op };
  const of = 'of' in outer ? outer.of : [];
  const other = of.length === 2 ? of.find((part) => part !== e) : undefined;
  if (outer.op === 'div' && of[0] === e && other) return { like: 'numerator', by: other.value };
  if (outer.op === 'mul' && other) return { like: 'factor', by: other.value };
  return { like: 'part' };
}

function fullCell({ time, cell }: Extract<Expr, { op: 'ref' }>): number[] {
  return time === undefined ? cell : [time, ...cell];
}

// --- shapes

export function readShape(typed: string): number[] | undefined {
  const text = typed.normalize('NFKC');
  if (!/^[\d\s×x*,;()[\]乘·]+$/i.test(text)) return undefined;
  const sizes = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return sizes.length > 0 ? sizes : undefined;
}

export type ShapeMark =
  | { right: true; dropped: boolean } // axes of size 1 were left out
  | { right: false; why: 'order' | 'regrouped' | 'sizes' }
  | { right: false; why: 'more' | 'fewer'; by: number }; // axes than there are

export function markShape(guess: number[], axes: Axis[]): ShapeMark {
  const sizes = axes.map(({ size }) => size);
  if (same(guess, sizes)) return { right: true, dropped: false };
  const [mine, wide] = [guess.filter(isWide), sizes.filter(isWide)];
  if (same(mine, wide)) return { right: true, dropped: true };
  if (same(mine.toSorted(rising), wide.toSorted(rising))) return { right: false, why: 'order' };
  if (mine.length === wide.length) return { right: false, why: 'sizes' };
  if (product(mine) === product(wide)) return { right: false, why: 'regrouped' };
  const by = mine.length - wide.length;
  return { right: false, why: by > 0 ? 'more' : 'fewer', by: Math.abs(by) };
}

const isWide = (size: number): boolean => size !== 1;
const rising = (a: number, b: number): number => a - b;
const product = (sizes: number[]): number => sizes.reduce((all, size) => all * size, 1);
const same = (a: number[], b: number[]): boolean =>
  a.length === b.length && a.every((size, i) => size === b[i]);

// --- which step comes next

const AFTER = 3; // steps behind the right one that stand to choose from
const BEFORE = 1; // and before it, the one shown left out

/** Weights and inputs are there from the beginning: no step is their turn. */
export function computed(steps: Step[]): Step[] {
  return steps.filter(({ op }) => op !== 'parameter' && op !== 'input');
}

/** The steps to choose from, in an order that says nothing. */
export function candidates(steps: Step[], shown: string, among: string[]): string[] {
  const names = steps.map(({ name }) => name);
  const at = names.indexOf(shown);
  const next = names[at + 1];
  if (at < 0 || next === undefined) return [];
  const around = [
    ...names.slice(Math.max(0, at - BEFORE), at),
    ...names.slice(at + 2, at + 1 + AFTER),
  ];
  const others = among.length > 0 ? names.filter((name) => among.includes(name)) : around;
  return [...new Set([next, ...others])].toSorted((a, b) => (a < b ? -1 : 1));
}

export type StepMark = { right: true } | { right: false; why: 'done' | 'early'; by: number };

export function markStep(steps: Step[], shown: string, guess: string): StepMark | undefined {
  const at = steps.findIndex(({ name }) => name === shown);
  const picked = steps.findIndex(({ name }) => name === guess);
  if (picked < 0) return undefined;
  if (picked === at + 1) return { right: true };
  return picked <= at
    ? { right: false, why: 'done', by: at + 1 - picked }
    : { right: false, why: 'early', by: picked - at - 1 };
}
