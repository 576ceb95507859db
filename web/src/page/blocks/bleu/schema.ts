import type { KeyGroup } from '../../../shared/keys';
import { list, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { session } from '../options';

export const options = object({
  session, // of the lab `bleu`
  prediction: text, // states: two texts and a whole number
  label: text,
  k: text,
  examples: optional(list(object({ prediction: text, label: text })), []), // pairs of texts to try
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['field'];

export function state(id: string): Fields {
  return { [`${id}.open`]: { type: 'text', default: '', max: 60 } }; // a number and its sum; empty: none
}

export const room = () => ({ wide: 20, narrow: 36 });
