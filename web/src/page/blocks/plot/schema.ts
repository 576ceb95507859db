import { list, number, object, oneOf, optional, text, type Parsed } from '../../../shared/schema';
import { both, inputs, session } from '../options';

const pair = (value: unknown, path: string): [number, number] => {
  const [low, high] = list(number)(value, path);
  return [low ?? 0, high ?? 1];
};

const axis = object({ label: both, domain: optional(pair) });

const curve = object({
  session: optional(session), // the block's, unless the curve has one of its own
  x: text, // names of steps with one value a point
  y: text,
  label: both,
  role: optional(oneOf('q', 'k', 'v', 'w', 'c', 'ink', 'soft'), 'ink'),
  dash: optional(text), // '4 3'
  weights: optional(text), // a step of one row a point of the curve: shown for the selected point
});

export const options = object({
  session,
  inputs,
  x: axis,
  y: axis,
  curves: list(curve),
  points: optional(object({ x: text, y: text, label: both })),
  select: optional(text), // an integer of the lesson's state: which point of the curves is selected
});
export type Options = Parsed<typeof options>;

export const room = () => ({ wide: 36, narrow: 36 });
