import type { KeyGroup } from '../../../shared/keys';
import { list, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { knob } from '../controls/schema';
import { both, inputs, session } from '../options';

export const options = object({
  session, // of the lab `costs`
  inputs, // `k`, `dilated`; `n` is the distance of the two words that are picked
  sentence: both, // words with spaces between them, as many in each language
  pair: optional(text, '0,1'), // the two that an untouched block has picked, from 0
  knobs: optional(list(knob), []),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['slider'];

export function state(id: string, { pair }: Options): Fields {
  return {
    [`${id}.pair`]: { type: 'text', default: pair, max: 8 },
    [`${id}.hop`]: { type: 'integer', default: 999, min: 0, max: 999 }, // how far it has come; beyond the last: arrived
  };
}

export const room = (value: unknown) => {
  const knobs = (value as Partial<Options>).knobs?.length ?? 0;
  return { wide: 27 + 2.6 * knobs, narrow: 52 + 4.2 * knobs };
};
