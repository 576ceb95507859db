import type { KeyGroup } from '../../../shared/keys';
import { bound } from '../../../shared/lesson';
import {
  dictionary,
  integer,
  list,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { axis, both, lineRole } from '../options';

const way = object({
  engine: oneOf('simd', 'relaxed', 'gpu'), // the build of the engine, in a worker of its own
  config: optional(dictionary(bound), {}), // besides that of the session
  sets: optional(list(text)), // in place of the block's
  label: both,
  role: optional(lineRole, 'ink'),
  dash: optional(text), // '4 3'
});
export type Way = Parsed<typeof way>;

const column = object({
  metric: text,
  label: both,
  as: optional(oneOf('number', 'share', 'time'), 'number'), // time: the metric is in milliseconds
  digits: optional(integer),
});
export type Column = Parsed<typeof column>;

export const options = object({
  session: text, // its model and config; every run of it measures
  over: object({
    sets: list(text), // settings that take the value
    values: list(integer),
    label: both,
    scale: optional(oneOf('linear', 'log'), 'log'),
  }),
  y: axis,
  metric: text, // what is drawn
  rounds: optional(integer, 3), // slices of each; an odd number has one in the middle
  level: optional(object({ metric: text, label: both })), // drawn once for each engine, as a thin line: what it could reach
  /** One more run of each way, not timed, up to this value: its metrics are told beside the measured ones. */
  also: optional(object({ config: dictionary(bound), most: integer })),
  ways: list(way),
  columns: list(column), // of the table of one value; the first one has a bar
  above: optional(list(object({ of: integer, over: integer })), []), // from where on one line lies above another, told in a sentence
  at: optional(integer, 0), // which value an untouched block shows
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['curve'];

export function state(id: string, { at, over }: Options): Fields {
  const last = over.values.length - 1;
  return { [`${id}.at`]: { type: 'integer', default: Math.min(at, last), min: 0, max: last } };
}

export const room = (value: unknown) => {
  const { ways = [], over, above = [] } = value as Options;
  const drawn = (over?.values ?? []).length > 1 ? { wide: 29, narrow: 22 } : { wide: 0, narrow: 0 };
  const n = ways.length;
  return {
    wide: drawn.wide + 7 + 2.4 * n + 1.6 * above.length,
    narrow: drawn.narrow + 9 + 5 * n + 3 * above.length,
  };
};
