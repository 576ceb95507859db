// Which heads are off, as the engine reads it: `encoder.0.attention.1 decoder.1.cross.3`. Pure.

import type { AttentionStep } from '../../../shared/engine';

export interface Bank {
  layer: string; // `decoder.1.cross`
  attention: AttentionStep;
  heads: string[];
}

/** One bank of heads for each attention of the model. */
export function banks(
  attention: AttentionStep[],
  headsOf: (step: string) => number | undefined,
): Bank[] {
  return attention.flatMap((each) => {
    const n = headsOf(each.step);
    const layer = each.step.replace(/\.weights$/, '');
    if (n === undefined || layer === each.step) return [];
    return [
      { layer, attention: each, heads: Array.from({ length: n }, (_, head) => `${layer}.${head}`) },
    ];
  });
}

/** Each once, in the order of the model; nothing at all if one of them is not there. */
export function readOff(text: string, all: string[]): string[] | undefined {
  const named = text.split(/\s+/).filter((name) => name !== '');
  if (named.some((name) => !all.includes(name))) return undefined;
  return all.filter((name) => named.includes(name));
}

/** A head is switched, or a whole bank: off, unless all of it is off already. */
export function switched(off: string[], which: string[], all: string[]): string[] {
  const on = which.every((name) => off.includes(name));
  return all.filter((name) => (which.includes(name) ? !on : off.includes(name)));
}
