// What the lab recorded of each length of n-gram, in the order in which it is shown.

import type { Trace } from '../../store/trace';

export interface Ngrams {
  n: number;
  found: { text: string; hit: boolean }[];
  matched: number;
  precision: number;
  weight: number;
  factor: number;
}

export function scalar(trace: Trace, name: string): number {
  const step = trace.find(name);
  return step ? (trace.values(step)[0] ?? NaN) : NaN;
}

export function ngrams(trace: Trace): Ngrams[] {
  const out: Ngrams[] = [];
  for (let n = 1; ; n += 1) {
    const step = trace.find(`matches.${n}`);
    if (!step) return out;
    const hits = trace.values(step);
    out.push({
      n,
      found: (step.axes[0]?.labels ?? []).map((text, i) => ({ text, hit: hits[i] === 1 })),
      matched: scalar(trace, `matched.${n}`),
      precision: scalar(trace, `precision.${n}`),
      weight: scalar(trace, `weight.${n}`),
      factor: scalar(trace, `factor.${n}`),
    });
  }
}
