// Where the course differs from the book (lessons/deviations.json): read, checked, and made into a page in each language.

import type { Element } from 'hast';
import { h } from 'hastscript';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lang } from '../src/shared/lesson.ts';
import { from, other, page, type Surroundings } from './frame.ts';
import type { Site, SiteLesson } from './site.ts';
import { speaker, type Say } from './words.ts';

type Both = Record<Lang, string>;

export interface Deviation {
  faults: string[]; // by their numbers in src/README.md; none: no fault, but another choice
  title: Both;
  book: Both;
  here: Both;
  why: Both;
  switch?: string; // the field of a model that has it as in the book
  lesson?: string; // where it can be seen: 'translation#context'
}

export interface DeviationGroup {
  id: string;
  title: Both;
  entries: Deviation[];
}

const FILE = 'lessons/deviations.json';

export const readDeviations = (repo: string): DeviationGroup[] =>
  JSON.parse(readFileSync(join(repo, FILE), 'utf8')) as DeviationGroup[];

export const deviationsPath = (lang: Lang): string => `${lang}/deviations/`;

function lessonOf(place: string, lessons: SiteLesson[]): [SiteLesson | undefined, string] {
  const [slug, section = ''] = place.split('#');
  return [lessons.find((lesson) => lesson.slug === slug), section];
}

/** Words in both languages, and lessons and sections that there are. */
export function deviationProblems(groups: DeviationGroup[], lessons: SiteLesson[]): string[] {
  return groups.flatMap(({ id, entries }) =>
    entries.flatMap((entry) => {
      const at = `${FILE}: ${id}: "${entry.title.en}"`;
      const lacking = (['title', 'book', 'here', 'why'] as const)
        .filter((part) => !entry[part].zh || !entry[part].en)
        .map((part) => `${at}: "${part}" is missing in one language`);
      if (entry.lesson === undefined) return lacking;
      const [lesson, section] = lessonOf(entry.lesson, lessons);
      const known = lesson?.text.en.sections.some((each) => each.id === section);
      return known ? lacking : [...lacking, `${at}: there is no "${entry.lesson}"`];
    }),
  );
}

function seen(entry: Deviation, lessons: SiteLesson[], lang: Lang, say: Say): Element | null {
  if (entry.lesson === undefined) return null;
  const [lesson, section] = lessonOf(entry.lesson, lessons);
  if (!lesson) return null;
  const { title, sections } = lesson.text[lang];
  const name = sections.find((each) => each.id === section)?.title ?? '';
  const href = `${from(deviationsPath(lang), `${lang}/${lesson.slug}/`)}#${section}`;
  return h('p.deviation-lesson', [
    say('deviations.seen'),
    ' ',
    h('a', { href }, `${title} · ${name}`),
  ]);
}

function row(name: string, text: string): Element {
  return h('div', [h('dt', name), h('dd', text)]);
}

function article(entry: Deviation, site: Site, lang: Lang, say: Say): Element {
  const id = `deviation-${entry.title.en.toLowerCase().replace(/\W+/g, '-')}`;
  return h('article.deviation', { ariaLabelledBy: id }, [
    h('h3', { id }, [
      entry.title[lang],
      ...entry.faults.flatMap((fault) => [' ', h('span.fault', { id: fault }, fault)]),
    ]),
    h('dl', [
      row(say('deviations.book'), entry.book[lang]),
      row(say('deviations.here'), entry.here[lang]),
      row(say('deviations.why'), entry.why[lang]),
      entry.switch === undefined
        ? null
        : h('div', [h('dt', say('deviations.switch')), h('dd', [h('code', entry.switch)])]),
    ]),
    seen(entry, site.lessons, lang, say),
  ]);
}

function section(group: DeviationGroup, site: Site, lang: Lang, say: Say): Element {
  const id = `group-${group.id}`;
  return h('section.deviations', { ariaLabelledBy: id }, [
    h('h2', { id }, group.title[lang]),
    h(
      'div.deviation-list',
      group.entries.map((entry) => article(entry, site, lang, say)),
    ),
  ]);
}

export function deviationsPage(site: Site, lang: Lang, around: Surroundings): string {
  const say = speaker(lang);
  const main = h('main', { id: 'main', tabIndex: -1 }, [
    h('header.lesson-head', [
      h('p.kicker', say('deviations.title')),
      h('h1', say('deviations.question')),
      h('p.lesson-summary', say('deviations.lead')),
      h('p.lesson-summary', say('deviations.switches')),
    ]),
    ...site.deviations.map((group) => section(group, site, lang, say)),
  ]);
  return page(
    {
      ...{ path: deviationsPath(lang), lang, say, scripts: [], styles: [], body: [main] },
      title: `${say('deviations.title')} · ${say('shell.name')}`,
      description: say('deviations.lead'),
      bodyClass: 'deviations-page',
      twin: deviationsPath(other(lang)),
    },
    around,
  );
}
