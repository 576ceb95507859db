import { dictionary, integer, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

const side = object({ step: text, title: optional(both) });

export const options = object({
  session,
  inputs,
  rows: side, // a step that lacks an axis of `result` which goes across …
  cols: side, // … and one that lacks the axis that goes down
  result: side, // made of both, each stretched along the axis that it lacks
  at: optional(dictionary(integer), {}), // where the other axes stand, by name
  most: optional(integer, 4), // rows and columns on show
});
export type Options = Parsed<typeof options>;

export const STAGES = 4; // apart, rows stretched, columns stretched, joined

export function state(id: string): Fields {
  return {
    [`${id}.stage`]: { type: 'integer', default: STAGES - 1, min: 0, max: STAGES - 1 },
    [`${id}.open`]: { type: 'text', default: '', max: 40 },
  };
}

export const room = () => ({ wide: 27.5, narrow: 32 });
