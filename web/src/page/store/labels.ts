// Labels that are names of the engine's (the things on a desk, a head set by hand) are said in the page's language as they come
// in; labels that are text (the words of a sentence) stay as they are.

import type { Axis } from '../../shared/engine';
import type { Words } from './words';

interface Told {
  axes?: Axis[]; // of an explained number
  steps?: { axes: Axis[] }[]; // of a run
}

export function sayLabels(head: Told, words: Pick<Words, 'name'>): void {
  const all = [head.axes ?? [], ...(head.steps ?? []).map(({ axes }) => axes)].flat();
  for (const axis of all)
    if (axis.named && axis.labels)
      axis.labels = axis.labels.map((name) => words.name([`label.${name}`], name));
}
