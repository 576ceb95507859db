import type { KeyGroup } from '../../../shared/keys';
import { object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { session } from '../options';

export const options = object({
  session, // a name, or the state in which the learner picks a model
  sentence: text, // a text of the lesson's state
  input: optional(text, 'sentence'), // which input of the model takes it
  weights: optional(text, 'decoder.weights'), // the heat map below, where the model has such a step; '' for none
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['field', 'map'];

export function state(id: string): Fields {
  return { [`${id}.open`]: { type: 'text', default: '', max: 60 } }; // a cell and its sum; empty: none
}

export const room = (value: unknown) =>
  (value as Partial<Options>).weights === '' ? { wide: 17, narrow: 21 } : { wide: 36, narrow: 40 };
