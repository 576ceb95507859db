import type { KeyGroup } from '../../../shared/keys';
import { list, object, oneOf, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { knob } from '../controls/schema';
import { both, inputs, session } from '../options';

export const ICONS = ['newspaper', 'paper', 'cup', 'notebook', 'book'] as const;
export type Icon = (typeof ICONS)[number];

const thing = object({ icon: oneOf(...ICONS), name: both });

export const options = object({
  session,
  inputs,
  weights: text, // a step with one weight for each thing
  before: optional(text), // another such step, which lights the things for a moment when they first come into view
  things: list(thing), // in the order of the step's axis
  ask: optional(both), // the reader looks first, and then is shown the weights; without it they are there at once
  colour: optional(text), // a boolean of the lesson's state: whether what can be red is red
  knobs: optional(list(knob), []),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['slider'];

export function state(id: string, { ask }: Options): Fields {
  return {
    [`${id}.look`]: { type: 'integer', default: -1, min: -1, max: 20 }, // what was looked at first
    [`${id}.shown`]: { type: 'boolean', default: ask === undefined },
  };
}

export const room = (value: unknown) => {
  const knobs = (value as Partial<Options>).knobs?.length ?? 0;
  return { wide: 18.5 + 2.6 * knobs, narrow: 16 + 3.4 * knobs };
};
