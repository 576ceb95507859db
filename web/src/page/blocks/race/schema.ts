import {
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, lineRole, session } from '../options';

const lane = object({
  name: both,
  session: text,
  role: optional(lineRole),
  dash: optional(text), // '4 3'
});
export type Lane = Parsed<typeof lane>;

/** A number of another run that no honest loss goes below. */
const floor = object({ session, step: text, label: both });

export const FAIR = ['epochs', 'seconds'] as const;
export type Fair = (typeof FAIR)[number];

export const options = object({
  lanes: list(lane), // they should differ in one thing and begin from one seed
  seed: optional(text), // an integer of the lesson's state that the sessions' configs follow
  fair: optional(oneOf(...FAIR), 'epochs'), // what is the same for all: passes over the pairs, or time
  epochs: optional(integer, 20), // of each, where epochs are the same
  seconds: optional(number, 6), // of each, where time is the same
  metric: optional(text, 'loss_per_token'),
  score: optional(oneOf('training', 'pairs')), // what each model is put to in the end: its own pairs, or those it never read
  guess: optional(oneOf('lowest', 'highest')), // what the learner is asked before it starts
  floor: optional(floor),
  choose: optional(flag, false), // the learner may choose what is the same
});
export type Options = Parsed<typeof options>;

export function state(id: string, { fair }: Options): Fields {
  return {
    [`${id}.guess`]: { type: 'integer', default: -1, min: -1, max: 20 },
    [`${id}.fair`]: { type: 'choice', default: fair, choices: [...FAIR] },
  };
}

export const room = (value: unknown) => {
  const { lanes = [], guess, choose } = value as Partial<Options>;
  const extra = (guess === undefined ? 0 : 2.5) + (choose ? 2 : 0);
  return {
    wide: 23 + 2.2 * lanes.length + extra,
    narrow: 26 + 2.6 * lanes.length + 1.6 * extra,
  };
};
