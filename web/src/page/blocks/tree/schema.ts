import { flag, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { inputs, session } from '../options';

export const options = object({
  session, // of a model or lab whose runs leave a search
  inputs,
  all: optional(flag, false), // words that the search looked at and dropped are drawn from the start
  edits: optional(text), // a stage of the same lesson: what is typed over its numbers is searched with, and what greed cost is told
  states: optional(text), // a step with one row a turn: what a branch remembers, computed for the branch that is picked
  target: optional(text, 'target'), // the input that makes the model write the words of a branch
});
export type Options = Parsed<typeof options>;

export function state(id: string, { all }: Options): Fields {
  return {
    [`${id}.all`]: { type: 'boolean', default: all },
    [`${id}.pick`]: { type: 'text', default: '', max: 12 }, // a branch, as step,place
    [`${id}.open`]: { type: 'text', default: '', max: 60 }, // a number of the table and its sum
  };
}

export const room = (value: unknown) =>
  (value as Partial<Options>).all === true ? { wide: 44, narrow: 44 } : { wide: 34, narrow: 38 };
