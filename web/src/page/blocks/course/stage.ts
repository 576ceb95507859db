// How far a model has come, in words, from what the engine counted on pairs that it was never shown.

import type { Checked } from '../../store/shelf.svelte';
import type { WordKey } from '../../store/words';

/** Kinds of tokens, the easiest first. */
export const KINDS = ['end', 'punctuation', 'frequent', 'other'] as const;

const LEARNT = 0.9; // of its tokens are right
const MANY = 0.5;
const WORSE = 5; // looks in a row without a better loss

export interface Share {
  kind: (typeof KINDS)[number];
  right: number;
  of: number;
}

export function shares({ metrics }: Checked): Share[] {
  return KINDS.flatMap((kind) => {
    const right = metrics[`right.${kind}`];
    return right === undefined ? [] : [{ kind, right, of: metrics[`of.${kind}`] ?? 0 }];
  });
}

/** The first look at which most of a kind were right. */
export function learntAt(checked: Checked[], kind: Share['kind']): number | undefined {
  return checked.find(({ metrics }) => (metrics[`right.${kind}`] ?? 0) >= LEARNT)?.epoch;
}

/** In one sentence. */
export function stageOf(checked: Checked[], best: Checked | undefined): WordKey | undefined {
  const last = checked.at(-1);
  if (!last || shares(last).length === 0) return undefined;
  if (best && checked.length - 1 - checked.indexOf(best) >= WORSE) return 'course.stage.heart';
  const right = (kind: Share['kind'], share: number): boolean =>
    (last.metrics[`right.${kind}`] ?? 1) >= share;
  if (right('other', MANY)) return 'course.stage.words';
  if (right('frequent', MANY)) return 'course.stage.frequent';
  if (right('punctuation', LEARNT) && right('end', LEARNT)) return 'course.stage.ends';
  if (right('punctuation', LEARNT)) return 'course.stage.punctuation';
  return 'course.stage.nothing';
}
