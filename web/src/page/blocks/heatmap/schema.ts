import { stateRef } from '../../../shared/lesson';
import {
  dictionary,
  either,
  integer,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, edits, inputs, session } from '../options';

export const options = object({
  session,
  inputs,
  edits,
  step: either(stateRef, text), // or the state that holds its name
  rows: optional(text), // names of axes; without them queries go down and keys across
  cols: optional(text),
  at: optional(dictionary(integer), {}), // where the other axes stand, by name
  title: optional(both),
  role: optional(oneOf('q', 'k', 'v', 'w', 'c', 'ink'), 'w'),
  select: optional(text), // an integer of the lesson's state: which row is selected
});
export type Options = Parsed<typeof options>;

export function state(id: string): Fields {
  return { [`${id}.open`]: { type: 'text', default: '', max: 60 } }; // a cell and its sum; empty: none
}

export const room = () => ({ wide: 34, narrow: 30 });
