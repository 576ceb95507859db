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
import { inputs, session, small } from '../options';
import { placeFields } from './place';
import { PASSES } from './stops';

/** Where the backward pass starts: at the run's loss, or at a number of a step. */
const from = either(object({ step: text, cell: list(integer) }), oneOf('loss'));

export const options = object({
  session,
  inputs,
  want: optional(list(text), ['*']), // steps on the strip
  start: optional(text, ''), // the step that an untouched stage shows; '' is the first
  turn: optional(integer, 0), // which turn of its loop
  cell: optional(text, ''), // and which cell is open, as '2,0,0,1'
  pass: optional(oneOf(...PASSES), 'forward'),
  small,
  from: optional(from), // without it the reader picks the number that the backward pass starts from
});
export type Options = Parsed<typeof options>;

export function state(id: string, { start, turn, cell, pass }: Options): Fields {
  return placeFields(id, { step: start, time: turn, cell, pass });
}

export const room = (value: unknown) =>
  (value as Options).small ? { wide: 38, narrow: 48 } : { wide: 58, narrow: 84 };
