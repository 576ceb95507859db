// Which choice is right: decided by numbers that the engine gave, never by the lesson.

import type { RULES } from './schema';

export type Rule = (typeof RULES)[number];

const CLOSE = 1e-4; // float32 sums of shares

export const sharesOut = (sums: Iterable<number>): boolean =>
  [...sums].every((sum) => Math.abs(sum - 1) < CLOSE);

/** Maps by the sums of their rows, numbers by themselves. Several may be right. */
export function rightOnes(rule: Rule, numbers: number[][]): boolean[] {
  if (rule === 'rows-share-out') return numbers.map(sharesOut);
  if (rule === 'rows-do-not') return numbers.map((sums) => !sharesOut(sums));
  const values = numbers.map(([value]) => value ?? NaN);
  const best = rule === 'largest' ? Math.max(...values) : Math.min(...values);
  return values.map((value) => value === best);
}

export function ends(values: number[]): { least: number; most: number } {
  return { least: Math.min(...values), most: Math.max(...values) };
}
