import type { KeyGroup } from '../../../shared/keys';
import {
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session, small } from '../options';

export const options = object({
  session,
  inputs,
  hide: oneOf('cell', 'shape', 'step'), // what the learner is to say
  step: text, // whose cell or shape is hidden; of `step`: the last one shown, and which comes next is asked
  cell: optional(list(integer), []), // of the step, its turn first; where an axis is shorter, its last entry
  others: optional(flag, true), // whether the cells around the hidden one are shown; without, only where it stands
  given: optional(list(text), []), // steps shown whole, to work it out from
  among: optional(list(text), []), // steps to choose from; without it, those around the next one
  want: optional(list(text), ['*']), // of which steps the next one is sought
  small,
  prompt: both,
  hint: optional(both),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['field', 'map'];

export function state(id: string): Fields {
  return {
    [`${id}.guess`]: { type: 'text', default: '', max: 60 },
    [`${id}.shown`]: { type: 'boolean', default: false }, // the learner asked to be shown
  };
}

export const room = (value: unknown) => {
  const given = (value as Options).given?.length ?? 0;
  if ((value as Options).hide === 'shape' && given === 0) return { wide: 10, narrow: 14 };
  if ((value as Options).small) return { wide: 25, narrow: 18 + 12 * given };
  return { wide: 16 + 14 * given, narrow: 18 + 16 * given };
};
