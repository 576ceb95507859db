import type { KeyGroup } from '../../../shared/keys';
import { list, object, oneOf, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

export const BINS = ['q', 'k', 'v', 'w', 'c'] as const;
export type Bin = (typeof BINS)[number];

const item = object({
  step: text, // of the run: what it is there says where the item belongs
  text: both,
});
export type Item = Parsed<typeof item>;

export const options = object({
  session,
  inputs,
  bins: list(oneOf(...BINS)),
  items: list(item),
  want: optional(list(text), []), // steps besides those of the items that say what becomes of them
  prompt: both,
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['sort'];

export function state(id: string): Fields {
  return { [`${id}.put`]: { type: 'text', default: '', max: 20 } }; // a bin for each item, `-` for none: `qk--v`
}

export const room = (value: unknown) => {
  const n = (value as Partial<Options>).items?.length ?? 4;
  return { wide: 11 + 1.5 * n, narrow: 14 + 4.2 * n };
};
