// Where a bar stands on its scale, in percent of its room. From zero to the value; zero is where the scale has it.

import type { Scale } from '../../parts/palette';

export interface Placed {
  from: number;
  to: number;
}

export function place(value: number, { min, max }: Scale): Placed {
  const span = max - min || 1;
  const at = (x: number): number => Math.min(100, Math.max(0, (100 * (x - min)) / span));
  if (!Number.isFinite(value)) return { from: at(0), to: at(0) };
  const [zero, end] = [at(0), at(value)];
  return { from: Math.min(zero, end), to: Math.max(zero, end) };
}

/** From zero, whatever the values, so that lengths may be compared. */
export function scaleOf(values: Iterable<number>, wish?: number): Scale {
  const finite = [...values].filter(Number.isFinite);
  return {
    min: Math.min(0, ...finite),
    max: Math.max(wish ?? 0, ...(wish === undefined ? finite : []), wish === undefined ? 1e-9 : 0),
  };
}

/** A small rest of rounding is nothing. */
export function leftOver(left: number): 'none' | 'some' | 'over' {
  if (Math.abs(left) < 5e-4) return 'none';
  return left > 0 ? 'some' : 'over';
}
