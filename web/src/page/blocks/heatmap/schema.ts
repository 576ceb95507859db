import type { KeyGroup } from '../../../shared/keys';
import { stateRef } from '../../../shared/lesson';
import {
  dictionary,
  either,
  flag,
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
  whole: optional(flag, false), // its numbers are whole and are written without decimals
  lines: optional(integer), // how many rows it will have, where they are few: no more room is kept than they need
  select: optional(text), // an integer of the lesson's state: which row is selected
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['map'];

export function state(id: string): Fields {
  return { [`${id}.open`]: { type: 'text', default: '', max: 60 } }; // a cell and its sum; empty: none
}

export const room = (value: unknown) => {
  const { lines } = value as Partial<Options>;
  return lines === undefined
    ? { wide: 34, narrow: 30 }
    : { wide: 8.5 + 2.6 * lines, narrow: 10 + 2.5 * lines };
};
