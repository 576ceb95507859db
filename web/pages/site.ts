// All lessons, read, rendered and checked: what the pages are made from.

import { join } from 'node:path';
import { blockOptions, type Lang, type Lesson, type Room } from '../src/shared/lesson.ts';
import { checkLesson, checkWords, type Kinds } from './check.ts';
import { deviationProblems, readDeviations, type DeviationGroup } from './deviations.ts';
import { LessonProblems } from './errors.ts';
import { blockElement } from './figures.ts';
import { render, type Rendered } from './markdown.ts';
import { LANGS, readSources, type GlossaryEntry, type LessonSource, type Source } from './read.ts';
import { speaker, WORDS } from './words.ts';

export type LessonText = Source & Rendered;

export interface SiteLesson {
  id: string;
  slug: string;
  lesson: Lesson;
  text: Record<Lang, LessonText>;
}

export interface Site {
  lessons: SiteLesson[];
  glossary: Map<string, GlossaryEntry>;
  problems: string[];
  kinds: Kinds;
  deviations: DeviationGroup[];
}

const UNKNOWN_ROOM = { wide: 0, narrow: 0 };

/** A block that is declared wrongly still renders, so that the check can name everything that is wrong. */
function roomOf(lesson: Lesson, id: string, kinds: Kinds) {
  const spec = lesson.blocks[id] ?? { kind: 'unknown' };
  const { kind, room } = spec;
  const known = kinds.get(kind);
  try {
    const usual = (): Room => known?.room(known.parse(blockOptions(spec), id)) ?? UNKNOWN_ROOM;
    return { kind, room: room ?? usual() };
  } catch {
    return { kind, room: UNKNOWN_ROOM };
  }
}

async function renderText(
  source: LessonSource,
  lang: Lang,
  slugs: string[],
  kinds: Kinds,
): Promise<LessonText> {
  const say = speaker(lang);
  const text = source.text[lang];
  const rendered = await render(text.markdown, {
    path: text.path,
    block: (id) =>
      blockElement(
        id,
        roomOf(source.lesson, id, kinds),
        say('shell.waiting'),
        say('shell.noscript'),
      ),
    link: (slug) => (slugs.includes(slug) ? `../${slug}/` : undefined),
  });
  return { ...text, ...rendered };
}

async function renderLesson(
  source: LessonSource,
  slugs: string[],
  kinds: Kinds,
): Promise<SiteLesson> {
  const [zh, en] = await Promise.all(LANGS.map((lang) => renderText(source, lang, slugs, kinds)));
  return { ...source, text: { zh: zh!, en: en! } };
}

const unknownTerms = ({ text }: SiteLesson, glossary: Site['glossary']): string[] =>
  LANGS.flatMap((lang) =>
    text[lang].terms
      .filter((id) => !glossary.has(id))
      .map((id) => `${text[lang].path}: the term "${id}" is not in lessons/glossary.json`),
  );

export async function readSite(repo: string, kinds: Kinds): Promise<Site> {
  const { lessons: sources, glossary, problems } = readSources(join(repo, 'lessons'));
  problems.push(...checkWords(WORDS.zh, WORDS.en));
  const slugs = sources.map(({ slug }) => slug);
  const lessons: SiteLesson[] = [];
  for (const source of sources) {
    try {
      const lesson = await renderLesson(source, slugs, kinds);
      problems.push(...checkLesson(`lessons/${lesson.id}`, lesson.lesson, lesson.text, kinds));
      problems.push(...unknownTerms(lesson, glossary));
      lessons.push(lesson);
    } catch (error) {
      problems.push(String(error)); // a VFileMessage prints as file:line:column: reason
    }
  }
  const deviations = readDeviations(repo);
  problems.push(...deviationProblems(deviations, lessons));
  return { lessons, glossary, problems, kinds, deviations };
}

export function refuseProblems({ problems }: Site): void {
  if (problems.length > 0) throw new LessonProblems(problems);
}
