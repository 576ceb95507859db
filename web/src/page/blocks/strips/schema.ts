import type { KeyGroup } from '../../../shared/keys';
import {
  integer,
  list,
  object,
  optional,
  text,
  dictionary,
  type Parsed,
} from '../../../shared/schema';
import { axis, both, inputs, lineRole, session } from '../options';

const row = object({
  step: text, // one number a seed
  at: optional(dictionary(integer), {}), // where its other axes stand, by name
  median: optional(text), // the step that holds its median, along the same `at`
  label: both,
  role: optional(lineRole, 'ink'),
});

export const options = object({
  session, // a lab that has an axis `seed`
  inputs,
  x: axis,
  rows: list(row),
  facts: optional(list(object({ step: text, label: both })), []), // shares of the seeds: 0 … 1
  select: optional(text), // an integer of the lesson's state: the seed that is marked, and can be chosen here
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['seeds'];

export const ROW = 46; // pixels

export const room = (value: unknown) => {
  const { rows = [], facts = [] } = value as Options;
  const height = 10 + 3 * rows.length + 1.6 * facts.length;
  return { wide: height, narrow: height + 3 };
};
