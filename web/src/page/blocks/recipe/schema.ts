import type { KeyGroup } from '../../../shared/keys';
import { stateRef } from '../../../shared/lesson';
import {
  dictionary,
  flag,
  list,
  object,
  optional,
  scalar,
  text,
  type Parsed,
} from '../../../shared/schema';
import { knob } from '../controls/schema';
import { both } from '../options';

const values = dictionary(scalar); // of the lesson's state

const group = object({
  title: both,
  knobs: list(knob),
  only: optional(list(text)), // sessions that have these knobs; all, if none is named
  open: optional(flag, false),
});

const preset = object({
  id: text,
  name: both,
  about: both,
  values,
  by: optional(dictionary(values), {}), // further values, by session
});
export type Preset = Parsed<typeof preset>;

export const options = object({
  session: stateRef, // the state in which the learner picks a model
  groups: list(group),
  presets: optional(list(preset), []),
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['slider', 'field'];

export const room = () => ({ wide: 40, narrow: 58 });
