// What a step is in its run: by its name, and by what becomes of it. What is averaged by weights is a value, whatever its name;
// so one array may be key and value at once. Pure.

import type { Operand, Step } from '../../../shared/engine';
import { stepRole } from '../../parts/roles';
import { BINS, type Bin } from './schema';

const isBin = (role: string): role is Bin => (BINS as readonly string[]).includes(role);

function named(operands: Operand[]): string[] {
  return operands.flatMap(({ step, operands: behind = [] }) =>
    step === undefined ? named(behind) : [step],
  );
}

/** The steps that a step was made of together with weights. */
function averaged(step: Step): string[] {
  const from = named(step.operands);
  const weighed = from.some((name) => stepRole(name) === 'w');
  return weighed ? from.filter((name) => stepRole(name) !== 'w') : [];
}

export function rolesOf(name: string, steps: Step[]): Bin[] {
  const own = stepRole(name);
  const value = steps.some((step) => averaged(step).includes(name));
  const roles = [...(isBin(own) ? [own] : []), ...(value ? (['v'] as const) : [])];
  return [...new Set(roles)];
}

/** `qk--v` as bins; what does not stand there, or means nothing here, is in none. */
export function readPut(text: string, n: number, bins: readonly Bin[]): (Bin | undefined)[] {
  return Array.from({ length: n }, (_, i) => bins.find((bin) => bin === text[i]));
}

export function writePut(put: (Bin | undefined)[]): string {
  const text = put.map((bin) => bin ?? '-').join('');
  return /^-*$/.test(text) ? '' : text;
}
