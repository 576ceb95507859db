import type { KeyGroup } from '../../../shared/keys';
import { list, object, optional, text, type Parsed } from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { axis, both, inputs, lineRole, session } from '../options';

const other = object({
  y: text, // a step with one value a place
  label: both,
  role: optional(lineRole, 'ink'),
  dash: optional(text),
  measures: optional(list(text), []),
});

export const options = object({
  session,
  inputs,
  x: axis,
  y: axis,
  places: text, // a step: where the curve has its heights
  over: text, // a step of one height a place, which the drawn curve replaces; untouched, it is the curve
  label: both,
  measures: list(object({ label: both, step: text })), // of the drawn curve; the first is what is compared
  points: optional(object({ x: text, y: text, label: both })),
  others: list(other), // shown, with their measures, once the learner has compared
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['draw'];

export function state(id: string): Fields {
  return {
    [`${id}.curve`]: { type: 'text', default: '', max: 380 }, // heights; '' is not drawn
    [`${id}.seen`]: { type: 'boolean', default: false }, // the others
  };
}

export const room = () => ({ wide: 38, narrow: 29 });
