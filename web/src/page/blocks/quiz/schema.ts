import type { KeyGroup } from '../../../shared/keys';
import {
  dictionary,
  integer,
  list,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { bound } from '../../../shared/lesson';
import { both, inputs, session } from '../options';

const choice = object({
  session: optional(session), // the block's, unless the choice has one of its own
  inputs: optional(dictionary(bound), {}), // besides those of the block
  step: text,
  cell: optional(list(integer)), // one number of it; without it, the whole step is shown as a map
  name: optional(both), // of a number: what it is
});
export type Choice = Parsed<typeof choice>;

/** What the engine's numbers decide. Of maps: whether every row, or not every row, adds up to 1. Of numbers: which is ahead. */
export const RULES = ['rows-share-out', 'rows-do-not', 'largest', 'smallest'] as const;

export const options = object({
  session: optional(session),
  inputs,
  prompt: both,
  choices: list(choice),
  by: optional(text), // a step of one number that decides, where maps are shown whose sums say nothing
  right: oneOf(...RULES),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['map'];

export function state(id: string): Fields {
  return { [`${id}.pick`]: { type: 'integer', default: -1, min: -1, max: 20 } };
}

export const room = (value: unknown) => {
  const { choices = [] } = value as Partial<Options>;
  const maps = choices.some(({ cell }) => cell === undefined);
  const n = choices.length;
  return maps ? { wide: 26, narrow: 9 + 19 * n } : { wide: 9 + 2 * n, narrow: 11 + 2.5 * n };
};
