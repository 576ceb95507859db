import { stateRef } from '../../../shared/lesson';
import {
  dictionary,
  either,
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
  of: text, // a metric of the run, a step with one number, or `vocabulary.source`, `vocabulary.target`, `pairs`, `batches`
  label: both,
  as: optional(oneOf('number', 'share'), 'number'),
});

export const options = object({
  session: optional(session),
  inputs,
  rows: list(row),
  columns: list(column),
  told: optional(list(object({ name: both, values: list(text) })), []), // rows that others published
  pairs: optional(oneOf('valid')), // the input `pairs` is this part of the corpus
  title: optional(both),
});
export type Options = Parsed<typeof options>;
export type Row = Parsed<typeof row>;

export function state(id: string): Fields {
  return { [`${id}.open`]: { type: 'text', default: '', max: 60 } }; // a number and its sum, as row,step
}

export const room = (value: unknown) => {
  const { rows = [], told = [] } = value as Partial<Options>;
  const lines = 5 + 2 * (rows.length + told.length);
  return { wide: lines, narrow: lines + 2 };
};
