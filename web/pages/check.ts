// What must hold between the two languages of a lesson, its lesson.json, the block kinds and the glossary.

import type { KeyGroup } from '../src/shared/keys.ts';
import { blockOptions, type Lesson, type Room } from '../src/shared/lesson.ts';
import type { Rendered } from './markdown.ts';

/** What the page's code says about its kinds of block (web/src/page/blocks/<kind>/schema.ts). */
export interface Kind {
  /** Throws if the options are not what this kind understands. */
  parse: (options: unknown, path: string) => unknown;
  room: (options: unknown) => Room;
  keys?: KeyGroup[]; // what it can be handled by, for the help sheet
}

export type Kinds = Map<string, Kind>;

const list = (ids: string[]): string => ids.join(', ') || 'none';

const repeated = (ids: string[]): string[] => ids.filter((id, at) => ids.indexOf(id) !== at);

/** Every `{"state": "key"}` anywhere in lesson.json. */
export function stateRefs(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Object.keys(value);
  const { state } = value as { state?: unknown };
  if (keys.length === 1 && typeof state === 'string') return [state];
  return Object.values(value).flatMap(stateRefs);
}

function twins(at: string, zh: Rendered, en: Rendered): string[] {
  const problems: string[] = [];
  if (zh.blocks.join() !== en.blocks.join())
    problems.push(
      `${at}: the blocks differ: zh.md has ${list(zh.blocks)}; en.md has ${list(en.blocks)}`,
    );
  const [zhSections, enSections] = [zh, en].map((page) => page.sections.map(({ id }) => id));
  if (zhSections!.join() !== enSections!.join())
    problems.push(
      `${at}: the sections differ: zh.md has ${list(zhSections!)}; en.md has ${list(enSections!)}`,
    );
  return problems;
}

function ids(at: string, page: Rendered, lesson: Lesson): string[] {
  const sections = page.sections.map(({ id }) => id);
  return [
    ...repeated(page.blocks).map((id) => `${at}: the block "${id}" stands there twice`),
    ...repeated(sections).map((id) => `${at}: the section id "${id}" stands there twice`),
    ...page.blocks
      .filter((id) => !Object.hasOwn(lesson.blocks, id))
      .map((id) => `${at}: the block "${id}" is not declared in lesson.json`),
  ];
}

/** Every `"session": "name"` of a block, also of its curves or sides. */
function sessionNames(options: unknown): string[] {
  if (typeof options !== 'object' || options === null) return [];
  return Object.entries(options).flatMap(([key, value]: [string, unknown]) =>
    key === 'session' && typeof value === 'string' ? [value] : sessionNames(value),
  );
}

function block(at: string, id: string, lesson: Lesson, kinds: Kinds): string[] {
  const { kind } = lesson.blocks[id]!;
  const options = blockOptions(lesson.blocks[id]!);
  const path = `${at}/lesson.json: block "${id}"`;
  const known = kinds.get(kind);
  if (!known) return [`${path}: unknown kind "${kind}" (known: ${list([...kinds.keys()])})`];
  const problems: string[] = [];
  for (const session of sessionNames(options))
    if (!Object.hasOwn(lesson.sessions, session))
      problems.push(
        `${path}: unknown session "${session}" (known: ${list(Object.keys(lesson.sessions))})`,
      );
  try {
    known.parse(options, path);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  return problems;
}

/** `stage.step`: a block's own state, which its kind declares. */
const ownedByBlock = (key: string, lesson: Lesson): boolean =>
  key.includes('.') && Object.hasOwn(lesson.blocks, key.slice(0, key.indexOf('.')));

export function checkLesson(
  at: string, // 'lessons/20-kernel-regression'
  lesson: Lesson,
  text: { zh: Rendered; en: Rendered },
  kinds: Kinds,
): string[] {
  const used = new Set([...text.zh.blocks, ...text.en.blocks]);
  const declared = Object.keys(lesson.blocks);
  return [
    ...twins(at, text.zh, text.en),
    ...ids(`${at}/zh.md`, text.zh, lesson),
    ...ids(`${at}/en.md`, text.en, lesson),
    ...declared.flatMap((id) => block(at, id, lesson, kinds)),
    ...declared
      .filter((id) => !used.has(id))
      .map((id) => `${at}/lesson.json: the block "${id}" stands in no text`),
    ...[...new Set(stateRefs(lesson))]
      .filter((key) => !Object.hasOwn(lesson.state, key) && !ownedByBlock(key, lesson))
      .map((key) => `${at}/lesson.json: unknown state "${key}"`),
  ];
}

/** The words of the page: both languages have the same keys, and none is empty. */
export function checkWords(zh: Record<string, string>, en: Record<string, string>): string[] {
  const lacking = (from: Record<string, string>, other: Record<string, string>, name: string) =>
    Object.keys(other)
      .filter((key) => !from[key])
      .map((key) => `web/src/words/${name}.json: "${key}" is missing`);
  return [...lacking(zh, en, 'zh'), ...lacking(en, zh, 'en')];
}
