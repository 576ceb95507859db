import type { KeyGroup } from '../../../shared/keys';
import {
  either,
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
import { placeFields } from './place';
import { state as answer } from '../predict/schema';
import { PASSES } from './stops';

/** Where the backward pass starts: at the run's loss, or at a number of a step. */
const from = either(object({ step: text, cell: list(integer) }), oneOf('loss'));

/** What the learner is to say before it is shown, as in the block `predict`. */
const hide = object({
  what: oneOf('cell', 'shape', 'step'),
  step: text, // whose cell or shape; of `step`: the one after which the next is asked for
  cell: optional(list(integer), []), // its turn first; where an axis is shorter, its last entry
  among: optional(list(text), []), // steps to choose from; without it, those around the next one
  prompt: both,
  hint: optional(both),
});
export type Hide = Parsed<typeof hide>;

export const options = object({
  session,
  inputs,
  want: optional(list(text), ['*']), // steps on the strip
  start: optional(text, ''), // the step that an untouched stage shows; '' is the first
  turn: optional(integer, 0), // which turn of its loop
  cell: optional(text, ''), // and which cell is open, as '2,0,0,1'
  pass: optional(oneOf(...PASSES), 'forward'),
  small,
  hide: optional(hide),
  from: optional(from), // without it the reader picks the number that the backward pass starts from
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['stage', 'map', 'slider'];

export function state(id: string, { start, turn, cell, pass, hide: hidden }: Options): Fields {
  return {
    ...placeFields(id, { step: start, time: turn, cell, pass }),
    ...(hidden && answer(id)),
  };
}

// As measured on the stages of the lessons, in rem.
const USUAL = { wide: 54, narrow: 82 };
const SMALL = { wide: 41, narrow: 57 };
const SUM = { wide: 16, narrow: 20 }; // that is open from the beginning
const QUESTION = { wide: 8, narrow: 11 };

export const room = (value: unknown) => {
  const { small: few, cell, hide: hidden } = value as Options;
  const parts = [few ? SMALL : USUAL, ...(cell === '' ? [] : [SUM]), ...(hidden ? [QUESTION] : [])];
  return parts.reduce((all, part) => ({
    wide: all.wide + part.wide,
    narrow: all.narrow + part.narrow,
  }));
};
