// How far the engine's numbers are from PyTorch's. Taking this difference is all that is computed on the page, and
// nothing but this table shows it: a lesson's numbers come from the core.

import type { Tensor } from './goldens';

/** What a difference is measured in, told by the number that is wanted. */
export type Unit = (want: number) => number;

/** Of values: float32 has so many digits; near 0 they are told from 1. */
export const VALUES: Unit = (want) => Math.max(1, Math.abs(want));

/** Of a loss: of itself. */
export const LOSSES: Unit = (want) => Math.abs(want);

const SMALLEST_GRADIENT = 1e-2; // as tests/native/engine/parity.cpp holds it, and says why

/** Of gradients: of the tensor's largest. */
export function gradientUnit(want: number[]): Unit {
  const largest = want.reduce((most, x) => Math.max(most, Math.abs(x)), SMALLEST_GRADIENT);
  return () => largest;
}

/** The largest |got − want| in its unit; what is no number is infinitely far. */
export function farthest(got: ArrayLike<number>, want: ArrayLike<number>, unit: Unit): number {
  if (got.length !== want.length) return Infinity;
  let most = 0;
  for (let i = 0; i < want.length; i += 1) {
    const apart = Math.abs(got[i]! - want[i]!) / unit(want[i]!);
    if (Number.isNaN(apart)) return Infinity;
    if (apart > most) most = apart;
  }
  return most;
}

/** What one row of the table tells. */
export interface Outcome {
  numbers: number;
  difference: number;
  at: string; // the step that is farthest
}

export class Tally {
  #numbers = 0;
  #difference = 0;
  #at = '';

  /** A step that the run does not have is infinitely far. */
  add(at: string, got: ArrayLike<number> | undefined, want: Tensor['values'], unit: Unit): void {
    this.#numbers += want.length;
    const difference = got ? farthest(got, want, unit) : Infinity;
    if (difference <= this.#difference && this.#at !== '') return;
    this.#difference = difference;
    this.#at = at;
  }

  get outcome(): Outcome {
    return { numbers: this.#numbers, difference: this.#difference, at: this.#at };
  }
}
