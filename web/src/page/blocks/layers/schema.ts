import { dictionary, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

const side = object({ session, inputs, name: both });

export const options = object({
  a: side, // without what the switch adds
  b: side, // and with it
  knob: both, // what the switch is called
  links: optional(dictionary(text), {}), // a layer (`decoder.attention`) → a lesson's place (`bahdanau#one-step`)
});
export type Options = Parsed<typeof options>;

export function state(id: string): Fields {
  return { [`${id}.on`]: { type: 'boolean', default: true } };
}

export const room = () => ({ wide: 20, narrow: 32 });
