import type { KeyGroup } from '../../../shared/keys';
import { integer, object, oneOf, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { inputs, session } from '../options';

export const USES = ['encoder', 'self', 'cross'] as const;
export type Use = (typeof USES)[number];

export const options = object({
  session,
  inputs,
  use: optional(oneOf(...USES), 'cross'), // what an untouched block shows, if the model has it
  layer: optional(integer, 0),
  heads: optional(text, '0'), // '0,2': several are averaged
  queries: optional(text, ''), // '1,2': chosen from the beginning
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['map'];

export function state(id: string, options: Options): Fields {
  return {
    [`${id}.use`]: { type: 'choice', default: options.use, choices: [...USES] },
    [`${id}.layer`]: { type: 'integer', default: options.layer, min: 0, max: 99 },
    [`${id}.heads`]: { type: 'text', default: options.heads, max: 80 },
    [`${id}.queries`]: { type: 'text', default: options.queries, max: 120 },
    [`${id}.open`]: { type: 'text', default: '', max: 60 }, // a cell and its sum; empty: none
  };
}

export const room = () => ({ wide: 40, narrow: 46 });
