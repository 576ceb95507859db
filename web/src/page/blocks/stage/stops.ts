// The order in which a run is walked through: forward step after step, and where a loop made the steps, turn after turn
// of the loop, as the model itself went; then backward the same way; then what the optimiser makes of it.

import type { Step } from '../../../shared/engine';
import { isStacked } from '../../store/trace';

export const PASSES = ['forward', 'backward', 'update'] as const;
export type Pass = (typeof PASSES)[number];

/** A place of the scrubber. Without a step it is the door to a pass that has not been computed yet. */
export interface Stop {
  pass: Pass;
  step?: number;
  time?: number;
}

/** Neighbouring steps of one module. */
export interface Group {
  module: string;
  steps: number[];
  turns: number; // of the loop that made them; 0: no loop
  weights: boolean; // all of them parameters
}

const UPDATE = 'update.';

export function passOf(name: string): Pass {
  return name.startsWith(UPDATE) ? 'update' : 'forward';
}

/** Where a step belongs: the layer (`encoder.0`), else the part of the model (`encoder`). */
export function moduleOf(name: string): string {
  const parts = name.split('.').slice(0, -1);
  const layer = parts.findIndex((part) => /^\d+$/.test(part));
  return parts.slice(0, layer < 0 ? 1 : layer + 1).join('.');
}

/** The part of its module that a step belongs to: `attention` in `encoder.0.attention.weights`. */
export function partOf(name: string): string {
  const module = moduleOf(name);
  return name
    .slice(module === '' ? 0 : module.length + 1)
    .split('.')
    .slice(0, -1)
    .join('.');
}

export function turns(step: Step): number {
  return isStacked(step) ? step.axes[0]!.size : 0;
}

/** Weights have no place in the order of the computation: forward they are opened from the sums that use them. */
export function isWeight(step: Step): boolean {
  const unnamed = ['row', 'entry', 'axis 0'].includes(step.axes[0]?.name ?? '');
  return step.op === 'parameter' && unnamed;
}

/** Neighbours with as many turns under one roof (one loop may run through several modules); without turns, of one module. */
interface Loop {
  members: number[];
  weights: number[]; // first used here; their gradients gather over all turns, and come after those of the steps
}

function loops(steps: Step[], kept: (step: Step) => boolean): Loop[] {
  const found: Loop[] = [];
  let waiting: number[] = [];
  const roof = (i: number): string => {
    const { name } = steps[i]!;
    const n = turns(steps[i]!);
    return `${n > 0 ? name.split('.')[0] : moduleOf(name)} ${n}`;
  };
  steps.forEach((step, i) => {
    if (!kept(step)) return;
    if (isWeight(step)) return void waiting.push(i);
    const last = found.at(-1);
    if (last && roof(last.members[0]!) === roof(i)) {
      last.members.push(i);
      last.weights.push(...waiting);
    } else found.push({ members: [i], weights: waiting });
    waiting = [];
  });
  return waiting.length > 0 ? [...found, { members: [], weights: waiting }] : found;
}

function walked(steps: Step[], { members, weights }: Loop): Omit<Stop, 'pass'>[] {
  const before = weights.map((step) => ({ step }));
  const n = members.length > 0 ? turns(steps[members[0]!]!) : 0;
  if (n === 0) return [...before, ...members.map((step) => ({ step }))];
  const rounds = Array.from({ length: n }, (_, time) => members.map((step) => ({ step, time })));
  return [...before, ...rounds.flat()];
}

const isForward = (step: Step): boolean => passOf(step.name) === 'forward' && !isWeight(step);
const hasGradient = (step: Step): boolean =>
  passOf(step.name) === 'forward' && step.gradient_offset !== undefined;

/** `doors`: passes that can be computed and have not been. */
export function stops(steps: Step[], doors: Pass[] = [], parameter?: string): Stop[] {
  const forward = loops(steps, isForward).flatMap((loop) => walked(steps, loop));
  const backward = loops(steps, hasGradient)
    .flatMap((loop) => walked(steps, loop))
    .toReversed();
  const update = chain(steps, parameter).map((step) => ({ step }));
  const found = { forward, backward, update };
  return PASSES.flatMap((pass): Stop[] =>
    found[pass].length === 0 && doors.includes(pass)
      ? [{ pass }]
      : found[pass].map((stop) => ({ pass, ...stop })),
  );
}

/** The parameters that the optimiser moves, by their path. */
export function updated(steps: Step[]): string[] {
  return steps.flatMap(({ name }) =>
    name.startsWith(UPDATE) && name.endsWith('.gradient')
      ? [name.slice(UPDATE.length, -'.gradient'.length)]
      : [],
  );
}

/** Of an update: whose it is; nothing for what all parameters share (the norm, the factor of clipping). */
export function parameterOf(name: string, parameters: string[]): string | undefined {
  if (!name.startsWith(UPDATE)) return undefined;
  return parameters.find((path) => name.startsWith(`${UPDATE}${path}.`));
}

/** One parameter's way through the optimiser, with the steps that all share. */
function chain(steps: Step[], parameter: string | undefined): number[] {
  const parameters = updated(steps);
  const chosen = parameter ?? parameters[0];
  return steps.flatMap(({ name }, i) => {
    if (!name.startsWith(UPDATE)) return [];
    const owner = parameterOf(name, parameters);
    return owner === undefined || owner === chosen ? [i] : [];
  });
}

/** The strip's steps in the order of the pass, by module. */
export function groups(steps: Step[], pass: Pass, parameter?: string): Group[] {
  const kept = pass === 'forward' ? isForward : hasGradient;
  const order =
    pass === 'update'
      ? chain(steps, parameter)
      : loops(steps, kept).flatMap(({ members, weights }) => [...weights, ...members]);
  const modules = homes(steps, order);
  const found: Group[] = [];
  for (const i of pass === 'backward' ? order.toReversed() : order) {
    const last = found.at(-1);
    const next = {
      module: modules.get(i)!,
      turns: turns(steps[i]!),
      weights: isWeight(steps[i]!),
    };
    const same =
      last?.module === next.module && last.turns === next.turns && last.weights === next.weights;
    if (last && same) last.steps.push(i);
    else found.push({ ...next, steps: [i] });
  }
  return found;
}

/** A weight stands with the steps that use it; its own path speaks of files, not of the computation. */
function homes(steps: Step[], order: number[]): Map<number, string> {
  const found = new Map<number, string>();
  let home = '';
  for (const i of order.toReversed()) {
    if (!isWeight(steps[i]!)) home = moduleOf(steps[i]!.name);
    found.set(i, passOf(steps[i]!.name) === 'update' ? 'update' : home);
  }
  return found;
}

/** The stop for a step at a time; a time beyond its loop means the last turn. A step that is not walked
 *  through stands where the one before it does. */
export function stopAt(all: Stop[], pass: Pass, step: number, time: number): number {
  const here = all.flatMap((stop, i) => (stop.pass === pass ? [{ ...stop, i }] : []));
  const exact = here.filter((stop) => stop.step === step);
  const nearest = Math.max(
    -1,
    ...here.map((stop) => stop.step ?? -1).filter((each) => each <= step),
  );
  const candidates = exact.length > 0 ? exact : here.filter((stop) => stop.step === nearest);
  const found = candidates.find((stop) => stop.time === time) ?? last(candidates) ?? here[0];
  return found?.i ?? 0;
}

/** The last turn, in whatever direction the pass goes. */
function last<T extends Stop>(candidates: T[]): T | undefined {
  return candidates.reduce<T | undefined>(
    (best, each) => (best && (best.time ?? 0) >= (each.time ?? 0) ? best : each),
    undefined,
  );
}
