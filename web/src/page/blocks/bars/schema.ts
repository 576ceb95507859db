import type { KeyGroup } from '../../../shared/keys';
import { stateRef } from '../../../shared/lesson';
import {
  either,
  flag,
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { knob } from '../controls/schema';
import { both, inputs, session } from '../options';

const column = object({
  step: either(stateRef, text), // with one axis, or with two and `sum`
  sum: optional(text), // the axis along which the engine adds it up first
  label: optional(both),
  role: optional(oneOf('q', 'k', 'v', 'w', 'c', 'ink')), // without it, what the step's name says
  edit: optional(flag, false), // an input step: its bars are drawn by hand
  max: optional(number), // of the scale; for shares it is 1, else the largest value
  step_by: optional(number, 0.05), // of a bar that is drawn by hand
});
export type Column = Parsed<typeof column>;

const single = object({ step: text, label: optional(both) });

export const options = object({
  session,
  inputs,
  columns: list(column),
  names: optional(list(both), []), // of the rows; without them, the words of their axis
  rows: optional(both), // what the rows are; without it, the name of their axis
  also: optional(list(single), []), // single numbers below
  left: optional(text), // a step of one number: what is left of something to share out
  knobs: optional(list(knob), []),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['slider', 'field'];

export function state(id: string): Fields {
  return {
    [`${id}.edits`]: { type: 'text', default: '', max: 380 },
    [`${id}.open`]: { type: 'text', default: '', max: 60 },
  };
}

export const room = (value: unknown) => {
  const { knobs = [], names = [], also = [], left } = value as Partial<Options>;
  const rows = names.length || 10;
  const below = (also.length > 0 ? 2 : 0) + (left === undefined ? 0 : 3);
  return {
    wide: 5 + 1.6 * rows + below + 2.6 * knobs.length,
    narrow: 5 + 2.3 * rows + below + 4.2 * knobs.length,
  };
};
