import { list, object, oneOf, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, inputs, session } from '../options';

const measure = object({
  of: text, // a metric of a run that evaluates
  label: both,
  better: oneOf('smaller', 'larger'),
});
export type Measure = Parsed<typeof measure>;

export const options = object({
  session,
  inputs, // of the run whose sentence and maps are shown
  pairs: optional(oneOf('valid')), // what a head is worth is measured over this part of the corpus
  measures: optional(list(measure), []), // the first one stands below each head
  off: optional(text, ''), // heads that are off from the beginning, as the engine names them
});
export type Options = Parsed<typeof options>;

export function state(id: string, { off }: Options): Fields {
  return {
    [`${id}.off`]: { type: 'text', default: off, max: 2000 },
    [`${id}.by`]: { type: 'integer', default: 0, min: 0, max: 9 }, // which measure stands below the heads
  };
}

export const room = (value: unknown) => {
  const measured = (value as Partial<Options>).pairs !== undefined;
  return measured ? { wide: 42, narrow: 68 } : { wide: 36, narrow: 60 };
};
