// The page of one lesson in one language.

import type { Element, ElementContent } from 'hast';
import { h } from 'hastscript';
import type { Lang } from '../src/shared/lesson.ts';
import { dataScript, LANG_TAG, other, page, type Surroundings } from './frame.ts';
import { keysOf } from './help.ts';
import type { GlossaryEntry } from './read.ts';
import type { Site, SiteLesson } from './site.ts';
import { teachSection } from './teach.ts';
import { speaker, type Say } from './words.ts';

const MENU = 'lessons';

export const pathOf = (lang: Lang, lesson: SiteLesson): string => `${lang}/${lesson.slug}/`;

function sectionList(lesson: SiteLesson, lang: Lang): Element {
  const items = lesson.text[lang].sections.map(({ id, title }) =>
    h('li', [h('a', { href: `#${id}`, dataSection: id }, title)]),
  );
  return h('ol.sections', items);
}

function lessonItem(entry: SiteLesson, current: SiteLesson, lang: Lang): Element {
  const here = entry === current;
  const { title, sections } = entry.text[lang];
  const marks = { dataLesson: entry.slug, dataSections: sections.map(({ id }) => id).join(' ') };
  return h('li', { className: here ? ['lesson', 'here'] : ['lesson'], ...marks }, [
    h('a', { href: here ? '#main' : `../${entry.slug}/`, ariaCurrent: here ? 'page' : undefined }, [
      h('span.read-ring', { ariaHidden: 'true' }),
      title,
      h('span.vh.progress'),
    ]),
    here ? sectionList(entry, lang) : null,
  ]);
}

function menu(site: Site, current: SiteLesson, lang: Lang, say: Say): Element {
  const progress = say('shell.read', { done: '{done}', all: '{all}' });
  const attributes = { id: MENU, popover: 'auto', ariaLabel: say('shell.lessons') };
  const close = { type: 'button', popovertarget: MENU, popovertargetaction: 'hide' };
  return h('nav.page-menu', { ...attributes, dataProgress: progress }, [
    h('button.icon-button.close-button', close, [
      h('span', { ariaHidden: 'true' }, '×'),
      h('span.vh', say('shell.close')),
    ]),
    h(
      'ol.lessons',
      site.lessons.map((entry) => lessonItem(entry, current, lang)),
    ),
  ]);
}

function term(entry: GlossaryEntry, lang: Lang): Element {
  const twin = other(lang);
  const same = entry[twin] === entry[lang]; // BLEU is BLEU
  return h('div.term-entry', { id: `term-${entry.id}`, tabIndex: -1 }, [
    h('dt', [
      entry[lang],
      ...(same ? [] : [' ', h('span.term-twin', { lang: LANG_TAG[twin] }, entry[twin])]),
    ]),
    h('dd', entry.definition[lang]),
  ]);
}

function glossary(entries: GlossaryEntry[], lang: Lang, say: Say): ElementContent[] {
  if (entries.length === 0) return [];
  return [
    h('section.terms', { ariaLabelledBy: 'terms-title' }, [
      h('h2#terms-title', say('shell.terms')),
      h(
        'dl',
        entries.map((entry) => term(entry, lang)),
      ),
    ]),
  ];
}

function turn(site: Site, current: SiteLesson, lang: Lang, say: Say): Element {
  const at = site.lessons.indexOf(current);
  const link = (entry: SiteLesson | undefined, rel: 'prev' | 'next', word: string) =>
    entry &&
    h('a', { className: [`page-turn-${rel}`], rel, href: `../${entry.slug}/` }, [
      h('span.page-turn-word', word),
      h('span.page-turn-title', entry.text[lang].title),
      h('span.page-turn-question', entry.text[lang].question),
    ]);
  return h('nav.page-turn', { ariaLabel: say('shell.turn') }, [
    link(site.lessons[at - 1], 'prev', say('shell.previous')),
    link(site.lessons[at + 1], 'next', say('shell.next')),
  ]);
}

function pageData(site: Site, current: SiteLesson, lang: Lang, terms: GlossaryEntry[]): object {
  return {
    id: current.id,
    slug: current.slug,
    lang,
    title: current.text[lang].title,
    lessons: site.lessons.map(({ slug, text }) => ({ slug, title: text[lang].title })),
    ...current.lesson,
    glossary: Object.fromEntries(
      terms.map((entry) => [entry.id, { term: entry[lang], definition: entry.definition[lang] }]),
    ),
  };
}

export function lessonPage(
  site: Site,
  lesson: SiteLesson,
  lang: Lang,
  around: Surroundings,
): string {
  const say = speaker(lang);
  const text = lesson.text[lang];
  const terms = text.terms.flatMap((id) => site.glossary.get(id) ?? []);
  const main = h('main', { id: 'main', tabIndex: -1 }, [
    h('article.lesson-text', [
      h('header.lesson-head', [
        h('p.kicker', text.title),
        h('h1', text.question),
        h('p.lesson-summary', text.summary),
      ]),
      ...text.content,
      ...glossary(terms, lang, say),
    ]),
    teachSection(lesson, lang, say),
    turn(site, lesson, lang, say),
  ]);
  return page(
    {
      path: pathOf(lang, lesson),
      lang,
      say,
      title: `${text.title} · ${say('shell.name')}`,
      description: text.summary,
      scripts: ['/src/page/main.ts'],
      styles: ['/node_modules/katex/dist/katex.min.css'],
      body: [
        h('div.page-frame', [menu(site, lesson, lang, say), main]),
        dataScript('lesson', pageData(site, lesson, lang, terms)),
      ],
      bodyClass: 'lesson-page',
      menu: MENU,
      keys: keysOf(lesson, site.kinds),
      twin: pathOf(other(lang), lesson),
    },
    around,
  );
}
