import type { KeyGroup } from '../../../shared/keys';
import { integer, list, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

const map = object({ step: text, title: optional(both) });

export const options = object({
  session,
  inputs,
  lengths: optional(text, ''), // an input step [batch] or [batch, query]: a handle for each number in it …
  input: optional(text, ''), // … or an input of the run: one length
  start: optional(text, ''), // lengths that an untouched block has, as `2,3`; without it, the run's own
  maps: list(map), // steps [key], [query, key], [batch, query, key] or [batch, query], one below the other; the first has the handles
  lines: optional(integer), // how many rows each map will have, for the room that is kept; without it, one or four
  title: optional(both),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['cells', 'slider'];

export function state(id: string, { start }: Options): Fields {
  return {
    [`${id}.lengths`]: { type: 'text', default: start, max: 60 }, // `2,3`; empty: as the run has them
    [`${id}.open`]: { type: 'text', default: '', max: 60 },
  };
}

export const room = (value: unknown) => {
  const { maps = [], lengths = '', lines } = value as Partial<Options>;
  const rows = lines ?? (lengths === '' ? 1 : 4);
  const high = 4.5 + maps.length * (1.6 + 2.4 * rows);
  return { wide: high, narrow: high };
};
