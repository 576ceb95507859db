import type { KeyGroup } from '../../../shared/keys';
import { stateRef } from '../../../shared/lesson';
import {
  dictionary,
  either,
  list,
  object,
  optional,
  scalar,
  text,
  type Parsed,
} from '../../../shared/schema';
import type { Fields } from '../../store/url';
import { both, edits, inputs, session, small } from '../options';

const side = object({
  session: optional(session), // the block's, unless this side has one of its own
  inputs: optional(dictionary(either(stateRef, scalar)), {}), // besides those of the block
  edits,
  name: optional(both), // without it, the settings that differ name it
});
export type Side = Parsed<typeof side>;

export const options = object({
  session: optional(session),
  inputs,
  a: side,
  b: side,
  want: optional(list(text), ['*']),
  small,
  start: optional(text, ''), // the step that an untouched block shows; '' is the first
  cell: optional(text, ''), // open from the beginning, as '2,0,0,1'
  side: optional(text, 'difference'), // in which of the three maps that cell is open
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['map'];

export const SIDES = ['a', 'b', 'difference'] as const;

export function state(id: string, options: Options): Fields {
  return {
    [`${id}.step`]: { type: 'text', default: options.start, max: 80 },
    [`${id}.at`]: { type: 'text', default: '', max: 40 }, // where the axes stand that no map shows
    [`${id}.cell`]: { type: 'text', default: options.cell, max: 40 },
    [`${id}.side`]: { type: 'choice', default: options.side, choices: [...SIDES] },
  };
}

export const room = (value: unknown) =>
  (value as Options).small ? { wide: 27, narrow: 36 } : { wide: 34, narrow: 62 };
