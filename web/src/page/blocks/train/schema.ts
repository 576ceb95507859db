import { flag, list, number, object, optional, text, type Parsed } from '../../../shared/schema';
import { both } from '../options';

const check = object({ source: text, target: text });

export const options = object({
  session: text,
  seed: optional(text), // an integer of the lesson's state that the session's config follows
  checks: optional(list(check), []), // sentences translated while it learns
  input: optional(text, 'sentence'), // which input of the model takes them
  pace: optional(number, 0), // milliseconds after each batch, so that five epochs can be watched
  passed: optional(flag, false), // whoever scrolls past without touching it has it train by itself: it must be short
  published: optional(object({ label: both, values: list(number) })), // someone else's losses, epoch by epoch
  label: optional(both), // of the curve; without it the metric's own name
});
export type Options = Parsed<typeof options>;

export const room = (value: unknown) =>
  (value as Options).checks?.length ? { wide: 31, narrow: 44 } : { wide: 24, narrow: 30 };
