// A number that a lesson asks for: until it is out it stands in no map, in no sum, in no file that is saved. Pure.

import type { Explained, Expr } from '../../shared/engine';

export interface Hidden {
  step: string;
  cell: number[]; // its turn first
  value: number;
}

/** The sum that made the number is left out; in a sum that reads it, it and all that was worked out from it stay open. */
export function withheld(explained: Explained, hidden: Hidden): Explained {
  if (isIt(explained, hidden) && !explained.gradient) {
    const { expr: _, guess: __, ...rest } = explained;
    return { ...rest, stored: NaN, where: [], hidden: true };
  }
  const open = new Set<string>();
  const where = explained.where.map(({ name, expr }) => {
    const part = blind(expr, hidden, open);
    if (part.hidden) open.add(name);
    return { name, expr: part };
  });
  const { expr } = explained;
  return { ...explained, where, ...(expr && { expr: blind(expr, hidden, open) }) };
}

function blind(e: Expr, hidden: Hidden, open: Set<string>): Expr {
  if (e.op === 'ref') return reads(e, hidden) ? { ...e, value: NaN, hidden: true } : e;
  if (e.op === 'name') return open.has(e.name) ? { ...e, value: NaN, hidden: true } : e;
  if (!('of' in e)) return e;
  const of = e.of.map((part) => blind(part, hidden, open));
  const told = of.every((part) => !part.hidden);
  return (told ? { ...e, of } : { ...e, of, value: NaN, hidden: true }) as Expr;
}

/** What has no name may be the same number, moved about on its way to the sum. */
function reads(ref: Extract<Expr, { op: 'ref' }>, hidden: Hidden): boolean {
  if (ref.gradient === true) return false;
  return ref.step === undefined ? ref.value === hidden.value : isIt(ref, hidden);
}

interface Cell {
  step?: string;
  time?: number;
  cell: number[];
}

function isIt({ step, time, cell }: Cell, hidden: Hidden): boolean {
  const whole = time === undefined ? cell : [time, ...cell];
  return step === hidden.step && whole.join() === hidden.cell.join();
}
