// The order in which a run is walked through: step after step, and where a loop made the steps,
// turn after turn of the loop, as the model itself went.

import type { Step } from '../../../shared/engine';
import { isStacked } from '../../store/trace';

/** A place of the scrubber. */
export interface Stop {
  step: number;
  time?: number;
}

/** Neighbouring steps of one module. */
export interface Group {
  module: string;
  steps: number[];
  turns: number; // of the loop that made them; 0: no loop
}

export function moduleOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(0, dot);
}

export function turns(step: Step): number {
  return isStacked(step) ? step.axes[0]!.size : 0;
}

/** Weights have no place in the order of the computation: they are opened from the sums that use them. */
function isWalked(step: Step): boolean {
  const unnamed = ['row', 'entry', 'axis 0'].includes(step.axes[0]?.name ?? '');
  return !(step.op === 'parameter' && unnamed);
}

export function groups(steps: Step[]): Group[] {
  const found: Group[] = [];
  steps.forEach((step, i) => {
    if (!isWalked(step)) return;
    const module = moduleOf(step.name);
    const last = found.at(-1);
    if (last?.module === module && last.turns === turns(step)) last.steps.push(i);
    else found.push({ module, steps: [i], turns: turns(step) });
  });
  return found;
}

/** One loop may run through several modules: neighbours with as many turns under one roof. */
function loops(steps: Step[]): number[][] {
  const found: number[][] = [];
  const roof = (i: number): string => `${steps[i]!.name.split('.')[0]} ${turns(steps[i]!)}`;
  steps.forEach((step, i) => {
    if (!isWalked(step)) return;
    const last = found.at(-1);
    if (last && roof(last[0]!) === roof(i)) last.push(i);
    else found.push([i]);
  });
  return found;
}

export function stops(steps: Step[]): Stop[] {
  return loops(steps).flatMap((members) => {
    const n = turns(steps[members[0]!]!);
    if (n === 0) return members.map((step): Stop => ({ step }));
    return Array.from({ length: n }, (_, time) => members.map((step) => ({ step, time }))).flat();
  });
}

/** The stop for a step at a time; a time beyond its loop means the last turn. A step that is not walked
 *  through stands where the one before it does. */
export function stopAt(all: Stop[], step: number, time: number): number {
  const nearest = Math.max(-1, ...all.map((stop) => stop.step).filter((each) => each <= step));
  const candidates = all.flatMap((stop, i) => (stop.step === nearest ? [i] : []));
  return candidates[Math.min(time, candidates.length - 1)] ?? 0;
}
