// What a decoder keeps from word to word. A run stacks the turns of its loop, so a cache that grows is filled up behind its
// end; the mask of the weights says how far it had come. Pure.

import type { Step } from '../../../shared/engine';
import type { Trace } from '../../store/trace';

/** `decoder.0.self` …: blocks whose own words are kept. */
export function keepers(steps: Step[]): string[] {
  return steps.flatMap(({ name }) => /^(decoder\.\d+\.self)\.keys$/.exec(name)?.[1] ?? []);
}

/** How many words are kept after each turn. */
export function lengths(trace: Trace, keeper: string): number[] {
  const weights = trace.find(`${keeper}.weights`);
  const [turns, keys] = [weights?.axes[0]?.size ?? 0, weights?.axes.at(-1)?.size ?? 0];
  if (!weights || weights.axes[0]!.name !== 'time') return [];
  const mask = trace.mask(weights);
  const stride = weights.axes.slice(1).reduce((all, { size }) => all * size, 1);
  return Array.from({ length: turns }, (_, turn) => {
    if (!mask) return keys;
    const row = mask.subarray(turn * stride, turn * stride + keys); // of the first head: they keep the same words
    return row.reduce((all, seen) => all + seen, 0);
  });
}
