import type { KeyGroup } from '../../../shared/keys';
import { integer, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { inputs, session } from '../options';

export const options = object({
  session,
  inputs,
  stage: optional(text), // a stage of the lesson: the map and it stand at the same step
  start: optional(text, ''), // without a stage: the step whose part is chosen first
  rows: optional(integer, 16), // boxes in the longer column, for the room that is kept
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['boxes', 'map'];

export function state(id: string, { start }: Options): Fields {
  return {
    [`${id}.step`]: { type: 'text', default: start, max: 120 },
    [`${id}.open`]: { type: 'text', default: '', max: 60 }, // a cell and its sum; empty: none
  };
}

export const room = (value: unknown) => {
  const { rows = 16 } = value as Partial<Options>;
  return { wide: 7 + 2.5 * rows, narrow: 40 + 2.5 * rows };
};
