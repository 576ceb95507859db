import type { KeyGroup } from '../../../shared/keys';
import { integer, object, optional, oneOf, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { inputs, session } from '../options';

export const options = object({
  session,
  inputs, // a run that writes word by word
  turn: optional(integer, 2), // after which word an untouched block stands
  layer: optional(integer, 0),
  what: optional(oneOf('keys', 'values'), 'keys'),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['slider', 'map'];

export function state(id: string, { turn, layer, what }: Options): Fields {
  return {
    [`${id}.turn`]: { type: 'integer', default: turn, min: 0, max: 99 },
    [`${id}.layer`]: { type: 'integer', default: layer, min: 0, max: 99 },
    [`${id}.what`]: { type: 'choice', default: what, choices: ['keys', 'values'] },
    [`${id}.open`]: { type: 'text', default: '', max: 60 }, // a cell and its sum; empty: none
  };
}

export const room = () => ({ wide: 38, narrow: 46 });
