import { integer, list, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, session } from '../options';

const check = object({ source: text, target: text, right: optional(text, '') }); // `right`: how often others had it right

export const options = object({
  session: text, // what is trained, once a seed
  bleu: session, // of the lab that marks the translations
  checks: list(check),
  seeds: optional(integer, 5), // how many, from the one in the field
  metric: text, // of training
  told: optional(object({ name: both, loss: text })), // what others published
});
export type Options = Parsed<typeof options>;

export function state(id: string): Fields {
  return { [`${id}.first`]: { type: 'integer', default: 1, min: 0, max: 99999 } };
}

export const room = (value: unknown) => {
  const { seeds = 5 } = value as Partial<Options>;
  return { wide: 9 + 3.1 * seeds, narrow: 12 + 3.6 * seeds };
};
