import type { KeyGroup } from '../../../shared/keys';
import {
  dictionary,
  flag,
  integer,
  list,
  object,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import { axis, both, edits, inputs, lineRole, session } from '../options';

export const curve = object({
  session: optional(session), // the block's, unless the curve has one of its own
  x: text, // names of steps with one value a point
  y: text,
  at: optional(dictionary(integer), {}), // where the other axes of y stand, by name
  label: both,
  role: optional(lineRole, 'ink'),
  dash: optional(text), // '4 3'
  dots: optional(flag, false), // its points are few and worth one each
  gap: optional(text), // a step that is 0 where there is nothing to draw; a run may lack it
  weights: optional(text), // a step of one row a point of the curve: shown for the selected point
  measures: optional(list(text), []), // steps of one number each, in the order of the block's `measures`
});
export type CurveOption = Parsed<typeof curve>;

/** A number told of each curve, and what is said of a curve that has none. */
const measure = object({ zh: text, en: text, without: optional(both) });

export const options = object({
  session,
  inputs,
  edits,
  x: axis,
  y: axis,
  curves: list(curve),
  points: optional(object({ x: text, y: text, label: both })),
  measures: optional(list(measure), []), // what is told of each curve below the drawing
  again: optional(flag, false), // what was measured can be measured again
  select: optional(text), // an integer of the lesson's state: which point of the curves is selected
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['curve'];

export const room = (value: unknown) => {
  const { measures = [], curves = [] } = value as Options;
  const told = curves.filter((each) => (each.measures ?? []).length > 0).length;
  const below = measures.length > 0 ? 2.4 + 1.6 * told : 0;
  return { wide: 36 + below, narrow: 26 + 1.2 * below };
};
