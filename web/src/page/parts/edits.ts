// What a block types over the numbers of its run, as the engine wants it.

import type { Edit } from '../../shared/engine';
import type { Edits } from '../blocks/options';
import type { LessonState } from '../store/state.svelte';

/** For a request: nothing at all where nothing is edited. */
export function editing(edits: Edits, state: LessonState): { edits?: Edit[] } {
  if (edits.length === 0) return {};
  return { edits: edits.map((edit) => plain(edit, state)) };
}

function plain({ step, time, cell, value, values }: Edits[number], state: LessonState): Edit {
  return {
    step,
    ...(time !== undefined && { time }),
    ...(cell !== undefined && { cell }),
    ...(value !== undefined && {
      value: typeof value === 'object' ? state.number(value.state) : value,
    }),
    ...(values !== undefined && { values }),
  };
}
