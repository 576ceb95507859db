// What a knob may be set to. The engine's own limits are asked of the engine: a state that a session's config or a
// block's inputs follow has those of that field.

import type { Catalogue, Field } from '../../../shared/engine';
import type { LessonPage, StateField } from '../../../shared/lesson';

export interface Limits {
  min: number | undefined;
  max: number | undefined;
  choices: string[];
}

/** The fields that follow this state. A config's value is settled before a run: changing it begins anew. */
export interface Followers {
  fields: Field[];
  config: boolean;
}

type Entries = Record<string, unknown>;

function isRecord(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const follows = (value: unknown, key: string): boolean => isRecord(value) && value['state'] === key;

const namesIn = (entries: unknown, key: string): string[] =>
  isRecord(entries) ? Object.keys(entries).filter((name) => follows(entries[name], key)) : [];

/** A field that follows the state; without a session it may be a field of any. */
interface Use {
  session: string | undefined;
  name: string;
}

/** `inputs` at any depth, each of the nearest session above it: a comparison has some on each side. */
function usesBelow(value: unknown, key: string, above?: string): Use[] {
  if (Array.isArray(value)) return value.flatMap((each) => usesBelow(each, key, above));
  if (!isRecord(value)) return [];
  const own = value['session'];
  const session = typeof own === 'string' ? own : own === undefined ? above : undefined;
  return Object.entries(value).flatMap(([name, entry]) =>
    name === 'inputs'
      ? namesIn(entry, key).map((input) => ({ session, name: input }))
      : usesBelow(entry, key, session),
  );
}

export function followers(
  lesson: Pick<LessonPage, 'sessions' | 'blocks'>,
  { models }: Catalogue,
  key: string,
): Followers {
  const { sessions, blocks } = lesson;
  const fieldsOf = (part: 'inputs' | 'fields', { session, name }: Use): Field[] => {
    const one = session === undefined ? undefined : sessions[session];
    const here = new Set((one ? [one] : Object.values(sessions)).map(({ model }) => model));
    const mine = models.filter((model) => here.has(model.name));
    return mine.flatMap((model) => model[part].filter((field) => field.name === name));
  };
  const config = Object.entries(sessions).flatMap(([session, spec]) =>
    namesIn(spec.config, key).map((name) => ({ session, name })),
  );
  return {
    config: config.length > 0,
    fields: [
      ...config.flatMap((use) => fieldsOf('fields', use)),
      ...usesBelow(blocks, key).flatMap((use) => fieldsOf('inputs', use)),
    ],
  };
}

/** What the lesson allows and every field that follows can take. */
export function limits(state: StateField, fields: Field[]): Limits {
  const all = [state, ...fields];
  const lows = all.flatMap(({ min }) => min ?? []);
  const highs = all.flatMap(({ max }) => max ?? []);
  const lists = all.flatMap(({ choices }) => (choices ? [choices] : []));
  const [first = [], ...others] = lists;
  return {
    min: lows.length > 0 ? Math.max(...lows) : undefined,
    max: highs.length > 0 ? Math.min(...highs) : undefined,
    choices: first.filter((choice) => others.every((list) => list.includes(choice))),
  };
}

export type Widget = 'slider' | 'number' | 'buttons' | 'select' | 'checkbox' | 'text';

const FEW = 5; // choices that stand side by side
const WIDEST = 1000; // steps of a slider that a hand can aim at

export function widget(
  state: StateField,
  { min, max, choices }: Limits,
  wish: Widget | undefined,
  stops: number[] | undefined,
): Widget {
  if (state.type === 'boolean') return 'checkbox';
  if (choices.length > 0)
    return wish === 'select' || (wish === undefined && choices.length > FEW) ? 'select' : 'buttons';
  if (state.type !== 'integer' && state.type !== 'number') return 'text';
  if (stops) return 'slider';
  const bounded = min !== undefined && max !== undefined;
  if (!bounded || wish === 'number') return 'number';
  const near = state.type === 'number' || max - min <= WIDEST;
  return wish === 'slider' || near ? 'slider' : 'number';
}

/** The stop of a slider that is nearest to a value which may lie between two. */
export function nearestStop(stops: number[], value: number): number {
  let best = 0;
  stops.forEach((stop, i) => {
    if (Math.abs(stop - value) < Math.abs(stops[best]! - value)) best = i;
  });
  return best;
}

/** Arrow keys should get somewhere, and a hand should be able to stop where it likes. */
export function usualStep({ min = 0, max = 1 }: Limits, integer: boolean): number {
  if (integer) return 1;
  const room = max - min;
  return room <= 2 ? 0.01 : room <= 20 ? 0.1 : 1;
}
