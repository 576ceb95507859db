import type { KeyGroup } from '../../../shared/keys';
import {
  dictionary,
  integer,
  list,
  object,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

const axes = optional(list(text), []);

/** A step and how its axes are laid out: matrices stand below and beside each other, rows and columns within each. */
const stop = object({
  step: text,
  down: axes,
  beside: axes, // these flow on below where the page is too narrow
  rows: axes,
  cols: axes,
  title: both,
  says: both, // what has just happened
});
export type Stop = Parsed<typeof stop>;

export const options = object({
  session,
  inputs,
  stops: list(stop), // each a reshape or a transpose of the one before
  of: text, // the step by whose axes is said which numbers are on show …
  most: optional(dictionary(integer), {}), // … so many along each of these, from the first
  colour: optional(text), // the axis of `of` whose entries have a tint each
  memory: optional(text), // an axis of `of`: the order in memory is told, a number every so many
  start: optional(integer, 0), // where an untouched block ends up
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['cells'];

export function state(id: string, { start, stops }: Options): Fields {
  return {
    [`${id}.stop`]: { type: 'integer', default: start, min: 0, max: stops.length - 1 },
    [`${id}.number`]: { type: 'integer', default: -1, min: -1, max: 9999 }, // which one is open, and followed
  };
}

export const room = () => ({ wide: 28, narrow: 40 });
