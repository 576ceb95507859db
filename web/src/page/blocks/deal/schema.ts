import { list, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

const fill = object({ step: text, name: both });

export const options = object({
  session,
  inputs,
  prompt: both,
  lengths: text, // a step [row] that the learner puts right
  right: text, // the step that it is held against
  wrong: text, // a step [row] made of both: 1 where they differ
  weights: text, // the rows masked by those lengths, [row, query, key]
  content: text, // what the rows hold, [row, time, feature]: the first number of each word is shown
  of: text, // the step with the lengths that are there to be dealt
  fills: optional(list(fill), []), // steps [row] that fill all rows at once
});
export type Options = Parsed<typeof options>;

export function state(id: string): Fields {
  return {
    [`${id}.dealt`]: { type: 'text', default: '', max: 400 }, // `3,2,3`; empty: as the run has them
    [`${id}.checked`]: { type: 'boolean', default: false },
  };
}

export const room = () => ({ wide: 38, narrow: 42 });
