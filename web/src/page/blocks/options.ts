// Options that several kinds of block have.

import { bound, stateRef } from '../../shared/lesson';
import {
  dictionary,
  either,
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../shared/schema';

/** A sentence in both languages. */
export const both = object({ zh: text, en: text });
export type Both = Parsed<typeof both>;

/** A session's name, or the state in which the learner picks one. */
export const session = either(stateRef, text);

export const inputs = optional(dictionary(bound), {});

const edit = object({
  step: text,
  time: optional(number),
  cell: optional(list(number)),
  value: optional(either(stateRef, number)),
  values: optional(list(number)),
});
/** Numbers that take the place of those of a run before the rest of it is computed. */
export const edits = optional(list(edit), []);
export type Edits = Parsed<typeof edits>;

const pair = (value: unknown, path: string): [number, number] => {
  const [low, high] = list(number)(value, path);
  return [low ?? 0, high ?? 1];
};

/** Of a drawing: without a domain it has the room that its numbers need. */
export const axis = object({
  label: both,
  domain: optional(pair),
  scale: optional(oneOf('linear', 'log'), 'linear'),
});
export type AxisOption = Parsed<typeof axis>;

export const lineRole = oneOf('q', 'k', 'v', 'w', 'c', 'ink', 'soft');

/** Names of axes and where they stand. */
export const places = optional(dictionary(number), {});
