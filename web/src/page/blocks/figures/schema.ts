import { stateRef } from '../../../shared/lesson';
import {
  dictionary,
  either,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  scalar,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

const row = object({
  name: both,
  session: optional(session), // the block's, unless the row has one of its own
  inputs: optional(dictionary(either(stateRef, scalar)), {}), // besides those of the block
});

const column = object({
  of: text, // a metric of the run, a step with one number, or `vocabulary.source`, `vocabulary.target`, `parameters`, `pairs`, `batches`
  label: both,
  cell: optional(list(integer), []), // of the step, where it has more than one number
  as: optional(oneOf('number', 'share'), 'number'),
  names: optional(list(both)), // words for the numbers 0, 1, 2 …
});

export const options = object({
  session: optional(session),
  inputs,
  rows: list(row),
  columns: list(column),
  told: optional(list(object({ name: both, values: list(text) })), []), // rows that others published
  pairs: optional(oneOf('valid')), // the input `pairs` is this part of the corpus
  title: optional(both),
  update: optional(flag, false), // the optimiser's next step is recorded, so that `update.norm` and `update.clip` are there
});
export type Options = Parsed<typeof options>;
export type Row = Parsed<typeof row>;

export function state(id: string): Fields {
  return { [`${id}.open`]: { type: 'text', default: '', max: 60 } }; // a number and its sum, as row,step
}

export const room = (value: unknown) => {
  const { rows = [], told = [] } = value as Partial<Options>;
  const lines = 4.5 + 1.9 * (rows.length + told.length);
  return { wide: lines, narrow: lines + 2 };
};
