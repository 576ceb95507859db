import { list, object, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

const pair = object({
  name: both,
  from: text, // steps [time, feature]
  to: text,
  difference: text, // of one number: how far the rows are from having only changed places
});

export const options = object({
  session,
  inputs,
  order: text, // a step [time]: which row of `from` should stand there in `to`
  left: both,
  right: both,
  pairs: list(pair),
});
export type Options = Parsed<typeof options>;

export function state(id: string): Fields {
  return {
    [`${id}.pair`]: { type: 'integer', default: 0, min: 0, max: 9 },
    [`${id}.open`]: { type: 'text', default: '', max: 40 }, // a cell and its sum; empty: none
  };
}

export const room = (value: unknown) => {
  const tabs = ((value as Partial<Options>).pairs?.length ?? 1) > 1 ? 2.6 : 0;
  return { wide: 16.5 + tabs, narrow: 18 + tabs };
};
