import type { KeyGroup } from '../../../shared/keys';
import {
  dictionary,
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import { both } from '../options';

export const knob = object({
  state: text, // of the lesson; what may be chosen is asked of the engine, where a session or a block's inputs follow it
  label: both,
  as: optional(oneOf('slider', 'number', 'buttons', 'select')), // without it, what its type and size suggest
  values: optional(list(number)), // a slider that stops at these alone
  step: optional(number), // of a slider
  names: optional(dictionary(both), {}), // words for choices
  help: optional(both),
});
export type Knob = Parsed<typeof knob>;

export const options = object({
  knobs: list(knob),
  title: optional(both),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['slider', 'field'];

export const room = (value: unknown) => {
  const rows = (value as Options).knobs?.length ?? 1;
  return { wide: 4 + 2.6 * rows, narrow: 5 + 4.2 * rows };
};
