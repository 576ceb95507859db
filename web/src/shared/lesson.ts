// A lesson as data: what lesson.json says, and what the build adds to it (`#lesson` in the page).

import type { Scalar } from './engine.ts';
import {
  dictionary,
  either,
  list,
  number,
  object,
  oneOf,
  optional,
  scalar,
  SchemaError,
  text,
  type Parser,
} from './schema.ts';

/** A value that follows the lesson's state: `{"state": "seed"}`. */
export interface StateRef {
  state: string;
}
export const stateRef: Parser<StateRef> = object({ state: text });
export const bound: Parser<Scalar | StateRef> = either(stateRef, scalar);

/** Where numbers come from: a model, its settings, and optionally trained weights or a file of pairs. */
export interface SessionSpec {
  model: string;
  config: Record<string, Scalar | StateRef>;
  weights?: string | undefined;
  data?: 'corpus' | 'own' | undefined; // own: the learner's pairs, and as long as there are none, the corpus
  /** A source sentence that the model is never shown: its pairs are left out of the data. */
  without?: string | undefined;
}
const sessionSpec: Parser<SessionSpec> = object({
  model: text,
  config: optional(dictionary(bound), {}),
  weights: optional(text),
  data: optional(oneOf('corpus', 'own')),
  without: optional(text),
});

/** One entry of a lesson's state: what the learner can change and the URL remembers. */
export interface StateField {
  type: 'text' | 'integer' | 'number' | 'boolean' | 'choice';
  default: Scalar;
  min?: number | undefined; // of a number
  max?: number | undefined; // of a number; of a text: characters
  choices?: string[] | undefined;
}
const stateShape = object({
  type: oneOf('text', 'integer', 'number', 'boolean', 'choice'),
  default: scalar,
  min: optional(number),
  max: optional(number),
  choices: optional(list(text)),
});

/** What is wrong with `value` for this field, or nothing. */
export function problem(field: StateField, value: Scalar): string | undefined {
  if (field.type === 'boolean') return typeof value === 'boolean' ? undefined : 'not true or false';
  if (field.type === 'choice')
    return field.choices?.includes(String(value)) ? undefined : 'not one of the choices';
  if (field.type === 'text') {
    if (typeof value !== 'string') return 'not a text';
    return value.length > (field.max ?? Infinity) ? `longer than ${field.max}` : undefined;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'not a number';
  if (field.type === 'integer' && !Number.isInteger(value)) return 'not an integer';
  if (value < (field.min ?? -Infinity)) return `below ${field.min}`;
  if (value > (field.max ?? Infinity)) return `above ${field.max}`;
  return undefined;
}

const stateField: Parser<StateField> = (value, path) => {
  const field = stateShape(value, path);
  const wrong = problem(field, field.default);
  if (wrong !== undefined) throw new SchemaError(`${path}.default`, wrong);
  return field;
};

/** How much room a block takes before anybody touches it, in rem: on a wide page, and on a phone. */
export interface Room {
  wide: number;
  narrow: number;
}
const room = optional(object({ wide: number, narrow: number }));

/** `room`: as measured, where the block takes another than its kind usually does. */
export type BlockSpec = { kind: string; room?: Room } & Record<string, unknown>;
const blockSpec: Parser<BlockSpec> = (value, path) => {
  const record = dictionary((entry: unknown) => entry)(value, path);
  const measured = room(record['room'], `${path}.room`);
  return {
    ...record,
    kind: text(record['kind'], `${path}.kind`),
    ...(measured && { room: measured }),
  };
};

/** What a block tells its kind. */
export function blockOptions({ kind: _kind, room: _room, ...options }: BlockSpec): object {
  return options;
}

/** The learner's part of lesson.json. The shell's keys (title, number …) stand beside these. */
export interface Lesson {
  sessions: Record<string, SessionSpec>;
  state: Record<string, StateField>;
  blocks: Record<string, BlockSpec>;
}

export type Lang = 'zh' | 'en';

export interface LessonPage extends Lesson {
  id: string;
  slug: string;
  lang: Lang;
  title: string;
}

export function parseLesson(value: unknown, path = 'lesson.json'): Lesson {
  const record = dictionary((entry: unknown) => entry)(value, path);
  const part = <T>(key: string, parser: Parser<T>): Record<string, T> =>
    optional(dictionary(parser), {})(record[key], `${path}.${key}`);
  return {
    sessions: part('sessions', sessionSpec),
    state: part('state', stateField),
    blocks: part('blocks', blockSpec),
  };
}

export function parseLessonPage(value: unknown): LessonPage {
  const record = dictionary((entry: unknown) => entry)(value, '#lesson');
  return {
    ...parseLesson(record, '#lesson'),
    id: text(record['id'], '#lesson.id'),
    slug: text(record['slug'], '#lesson.slug'),
    lang: oneOf('zh', 'en')(record['lang'], '#lesson.lang'),
    title: text(record['title'], '#lesson.title'),
  };
}
