import { bound } from '../../../shared/lesson';
import {
  dictionary,
  either,
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, lineRole, session } from '../options';

const edit = object({ step: text, cell: list(integer), value: number });

/** What a cell shows, and of which run. A column or a row may say it for all of its cells; the nearer word counts. */
const source = {
  step: optional(text), // of the run; or one of its metrics, or `parameters`: how many the model has
  at: optional(list(integer)), // the number there, or all that stand below it
  shape: optional(flag), // the sizes of the step instead of its numbers
  as: optional(oneOf('number', 'share')),
  digits: optional(integer), // behind the point
  names: optional(list(both)), // words for the numbers 0, 1, 2 …
  session: optional(session),
  inputs: optional(dictionary(bound), {}), // besides those said farther away
  edits: optional(list(edit)),
};
const role = optional(lineRole);

const cell = object({ ...source, role, text: optional(either(text, both)) });
export type Cell = Parsed<typeof cell>;
const col = object({ zh: text, en: text, ...source, role });
const row = object({
  head: both,
  role, // of the head; `soft`: all of the row is told, by others
  ...source,
  cells: optional(list(cell)), // without: one a column
});

export const options = object({
  session: optional(session),
  inputs,
  title: optional(both),
  corner: optional(both), // what the heads of the rows are
  cols: list(col),
  rows: list(row),
  pairs: optional(oneOf('valid', 'learnt')), // the input `pairs`: what is held out of the corpus, or about as many of the others
  update: optional(flag, false), // the optimiser's next step is recorded, so that `update.norm` and `update.clip` are there
  again: optional(flag, false), // what was measured can be measured again
});
export type Options = Parsed<typeof options>;

export function state(id: string): Fields {
  return { [`${id}.open`]: { type: 'text', default: '', max: 40 } }; // row, column, which number; empty: none
}

export const room = (value: unknown) => {
  const rows = (value as Options).rows?.length ?? 1;
  return { wide: 3.5 + 2.1 * rows, narrow: 4 + 3.2 * rows };
};
