import { bound } from '../../../shared/lesson';
import {
  dictionary,
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
import { both, inputs, session } from '../options';

const edit = object({ step: text, cell: list(integer), value: number });

const role = optional(oneOf('q', 'k', 'v', 'w', 'c', 'ink'));

/** Words, or numbers of a run: the one at `at`, or all that stand below it. */
const cell = object({
  text: optional(both),
  step: optional(text),
  at: optional(list(integer), []),
  shape: optional(flag, false), // the sizes of the step instead of its numbers
  session: optional(session), // the block's, unless the cell has one of its own
  inputs: optional(dictionary(bound), {}), // besides those of the block
  edits: optional(list(edit), []),
  role, // whose colour the numbers have
});
export type Cell = Parsed<typeof cell>;

const row = object({ head: both, role, cells: list(cell) });

export const options = object({
  session,
  inputs,
  corner: optional(both), // what the heads of the rows are
  cols: list(both),
  rows: list(row),
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
