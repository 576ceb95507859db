// Reads lessons/ from the disk: folders, front matter, glossary. What is wrong is collected, not thrown,
// so that one run of the check names everything.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { parseLesson, type Lang, type Lesson } from '../src/shared/lesson.ts';
import { namesIn } from './folder.ts';

export const LANGS: Lang[] = ['zh', 'en'];

export interface Source {
  path: string; // 'lessons/20-kernel-regression/zh.md'
  title: string;
  question: string;
  summary: string;
  markdown: string; // the front matter blanked, so that line numbers hold
}

export interface LessonSource {
  id: string; // '20-kernel-regression'
  slug: string;
  lesson: Lesson;
  text: Record<Lang, Source>;
}

export interface GlossaryEntry {
  id: string;
  zh: string;
  en: string;
  definition: Record<Lang, string>;
}

export interface Sources {
  lessons: LessonSource[]; // those that could be read
  glossary: Map<string, GlossaryEntry>;
  problems: string[];
}

const FOLDER = /^(\d\d)-([a-z][a-z0-9-]*)$/;
const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;
const FACTS = ['title', 'question', 'summary'] as const;

const message = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path}: ${message(error)}`, { cause: error });
  }
}

export function readSource(path: string, text: string): Source {
  const match = FRONT_MATTER.exec(text);
  if (!match)
    throw new Error(`${path}:1: begins with front matter (---, ${FACTS.join(', ')}, ---)`);
  const facts = (parseYaml(match[1] ?? '') ?? {}) as Record<string, unknown>;
  const wrong = FACTS.find((key) => typeof facts[key] !== 'string' || facts[key] === '');
  if (wrong !== undefined) throw new Error(`${path}:1: the front matter lacks "${wrong}"`);
  const stranger = Object.keys(facts).find((key) => !FACTS.includes(key as 'title'));
  if (stranger !== undefined)
    throw new Error(`${path}:1: the front matter has an unknown "${stranger}"`);
  const blank = match[0].replace(/[^\n]/g, '');
  return {
    path,
    title: String(facts['title']),
    question: String(facts['question']),
    summary: String(facts['summary']),
    markdown: blank + text.slice(match[0].length),
  };
}

function readLesson(root: string, id: string, slug: string): LessonSource {
  const at = (name: string) => `lessons/${id}/${name}`;
  const read = (name: string): string => {
    if (!existsSync(join(root, id, name))) throw new Error(`${at(name)} is missing`);
    return readFileSync(join(root, id, name), 'utf8');
  };
  const [zh, en] = LANGS.map((lang) => readSource(at(`${lang}.md`), read(`${lang}.md`)));
  const lesson = parseLesson(parseJson(at('lesson.json'), read('lesson.json')), at('lesson.json'));
  return { id, slug, lesson, text: { zh: zh!, en: en! } };
}

function readGlossary(root: string): Map<string, GlossaryEntry> {
  const path = 'lessons/glossary.json';
  const file = join(root, 'glossary.json');
  if (!existsSync(file)) throw new Error(`${path} is missing`);
  const entries = parseJson(path, readFileSync(file, 'utf8')) as GlossaryEntry[];
  for (const entry of entries) {
    const complete =
      entry.id && entry.zh && entry.en && LANGS.every((lang) => entry.definition?.[lang]);
    if (!complete) throw new Error(`${path}: "${entry.id}" needs zh, en and both definitions`);
  }
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function attempt<T>(problems: string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    problems.push(message(error));
    return undefined;
  }
}

export function readSources(root: string): Sources {
  const problems: string[] = [];
  const folders = namesIn(root).filter(
    (name) => name !== 'corpus' && statSync(join(root, name)).isDirectory(),
  );
  const lessons = folders.flatMap((id) => {
    const slug = FOLDER.exec(id)?.[2];
    if (slug === undefined) problems.push(`lessons/${id}: a lesson's folder is named NN-slug`);
    return slug === undefined ? [] : (attempt(problems, () => readLesson(root, id, slug)) ?? []);
  });
  const glossary = attempt(problems, () => readGlossary(root)) ?? new Map<string, GlossaryEntry>();
  return { lessons, glossary, problems };
}

/** The trained weights that the lessons ask for, by name. */
export function weightsInLessons(root: string): string[] {
  const named = readSources(root).lessons.flatMap(({ lesson }) =>
    Object.values(lesson.sessions).flatMap(({ weights }) => weights ?? []),
  );
  return [...new Set(named)].sort();
}
