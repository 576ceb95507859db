// A number as the sum that made it, laid out for reading: operands that open, long sums folded in
// the middle, brackets where they are needed. Pure; Expression.svelte draws what stands here.

import type { Expr } from '../../shared/engine';
import { figure } from '../parts/format';

export type Ref = Extract<Expr, { op: 'ref' }>;

export type Piece =
  | { is: 'text'; text: string }
  | { is: 'number'; value: number; ref?: Ref }
  | { is: 'symbol'; text: string; value: number }
  | { is: 'row'; of: Piece[] }
  | { is: 'power'; base: Piece; of: Piece }
  | { is: 'via'; step: string | undefined; of: Piece }
  | { is: 'fold'; count: number; of: Piece[] };

const FOLD_ABOVE = 7; // terms; of a longer sum the first and the last stay
const KEEP_FIRST = 3;
const KEEP_LAST = 2;

// How tightly an expression holds together; looser ones need brackets inside tighter ones.
const SUM = 1;
const NEGATIVE = 2;
const PRODUCT = 3;
const POWER = 4;
const ATOM = 5;

const FUNCTION: Partial<Record<Expr['op'], string>> = {
  log: 'ln',
  tanh: 'tanh',
  sigmoid: 'σ',
  sqrt: '√',
  sin: 'sin',
  cos: 'cos',
};

const text = (value: string): Piece => ({ is: 'text', text: value });
const row = (...of: Piece[]): Piece => ({ is: 'row', of });

function tightness(e: Expr): number {
  if (e.op === 'add' || e.op === 'sub') return SUM;
  if (e.op === 'neg') return NEGATIVE;
  if (e.op === 'mul' || e.op === 'div') return PRODUCT;
  if (e.op === 'square' || e.op === 'exp' || e.op === 'pow') return POWER;
  const plain = e.op === 'ref' || (e.op === 'const' && e.symbol === undefined);
  return plain && e.value < 0 ? NEGATIVE : ATOM;
}

/** Inside something that wants at least `level` of tightness. */
function write(e: Expr, level: number): Piece {
  const piece = bare(e);
  return tightness(e) < level ? row(text('('), piece, text(')')) : piece;
}

function bare(e: Expr): Piece {
  switch (e.op) {
    case 'ref':
      return { is: 'number', value: e.value, ref: e };
    case 'const':
      return e.symbol === undefined
        ? { is: 'number', value: e.value }
        : { is: 'symbol', text: e.symbol, value: e.value };
    case 'name':
      return { is: 'symbol', text: e.name, value: e.value };
    case 'add':
      return row(...sum(e.of));
    case 'sub':
      return row(write(e.of[0]!, SUM), text(' − '), write(e.of[1]!, PRODUCT));
    case 'mul':
      return row(...joined(e.of, PRODUCT, '·'));
    case 'div':
      return row(write(e.of[0]!, PRODUCT), text(' / '), write(e.of[1]!, POWER));
    case 'max':
    case 'min':
      return row(text(`${e.op}(`), ...joined(e.of, SUM, ', '), text(')'));
    case 'neg':
      return row(text('−'), write(e.of[0], PRODUCT));
    case 'exp':
      return { is: 'power', base: text('e'), of: write(e.of[0], SUM) };
    case 'square':
      return { is: 'power', base: write(e.of[0], ATOM), of: text('2') };
    case 'pow':
      return { is: 'power', base: write(e.of[0]!, ATOM), of: write(e.of[1]!, SUM) };
    case 'abs':
      return row(text('|'), write(e.of[0], SUM), text('|'));
    case 'step': // 1 where the statement in the brackets is true, else 0
      return row(text('['), write(e.of[0], SUM), text(' > 0]'));
    case 'via':
      return { is: 'via', step: e.step, of: write(e.of[0], SUM) };
    case 'relu':
      return row(text('max(0, '), write(e.of[0], SUM), text(')'));
    default:
      return row(text(`${FUNCTION[e.op]}(`), write(e.of[0], SUM), text(')'));
  }
}

function folded(pieces: Piece[][]): Piece[] {
  if (pieces.length <= FOLD_ABOVE) return pieces.flat();
  const hidden = pieces.slice(KEEP_FIRST, -KEEP_LAST);
  return [
    ...pieces.slice(0, KEEP_FIRST).flat(),
    { is: 'fold', count: hidden.length, of: hidden.flat() },
    ...pieces.slice(-KEEP_LAST).flat(),
  ];
}

/** Each operand with the sign that stands before it. */
function sum(terms: Expr[]): Piece[] {
  return folded(
    terms.map((term, i) => {
      if (i === 0) return [write(term, SUM)];
      if (term.op === 'neg') return [text(' − '), write(term.of[0], PRODUCT)];
      return [text(' + '), write(term, PRODUCT)];
    }),
  );
}

function joined(operands: Expr[], level: number, sign: string): Piece[] {
  return folded(
    operands.map((operand, i) => [...(i === 0 ? [] : [text(sign)]), write(operand, level)]),
  );
}

export function layout(e: Expr): Piece {
  return write(e, SUM);
}

function children(e: Expr): Expr[] {
  return 'of' in e ? e.of : [];
}

function isLeaf(e: Expr): boolean {
  return children(e).length === 0;
}

/** The expression, and the same with its parts worked out, as one would write it on a blackboard. */
export function workings(e: Expr): Piece[] {
  const lines = [layout(e)];
  const parts = children(e);
  const worth =
    e.op !== 'via' &&
    !e.hidden &&
    parts.length <= FOLD_ABOVE &&
    parts.some((child) => !isLeaf(child));
  if (worth) {
    const done = parts.map((child): Expr => ({ op: 'const', value: child.value }));
    lines.push(layout({ ...e, of: done } as Expr));
  }
  return lines;
}

/** All operands that open, in reading order. */
export function refs(e: Expr): Ref[] {
  return e.op === 'ref' ? [e] : children(e).flatMap(refs);
}

/** As plain text: for tests, for the clipboard, for a screen reader. */
export function plain(piece: Piece): string {
  switch (piece.is) {
    case 'text':
    case 'symbol':
      return piece.text;
    case 'number':
      return piece.ref?.hidden ? '?' : figure(piece.value);
    case 'row':
      return piece.of.map(plain).join('');
    case 'power':
      return `${plain(piece.base)}^${plain(piece.of).replace(/^(.*[^\w.].*)$/, '{$1}')}`;
    case 'via':
      return `${piece.step ?? '…'}: ${plain(piece.of)}`;
    case 'fold':
      return ` + … ${piece.count} …`;
  }
}
