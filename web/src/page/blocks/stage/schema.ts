import { integer, list, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { inputs, session } from '../options';

export const options = object({
  session,
  inputs,
  want: optional(list(text), ['*']), // steps on the strip
  start: optional(text, ''), // the step that an untouched stage shows; '' is the first
  turn: optional(integer, 0), // which turn of its loop
  cell: optional(text, ''), // and which cell is open, as '2,0,0,1'
});
export type Options = Parsed<typeof options>;

export function state(id: string, options: Options): Fields {
  return {
    [`${id}.step`]: { type: 'text', default: options.start, max: 80 },
    [`${id}.time`]: { type: 'integer', default: options.turn, min: 0, max: 9999 },
    [`${id}.cell`]: { type: 'text', default: options.cell, max: 40 }, // empty: none
  };
}

export const room = () => ({ wide: 46, narrow: 62 });
