// The two tables of contents and the front door.

import type { Element, ElementContent } from 'hast';
import { h, s } from 'hastscript';
import type { Lang } from '../src/shared/lesson.ts';
import { from, LANG_TAG, other, page, type Surroundings } from './frame.ts';
import { pathOf } from './lesson-page.ts';
import type { Picture } from './picture.ts';
import { LANGS } from './read.ts';
import type { Site, SiteLesson } from './site.ts';
import { speaker, type Say } from './words.ts';

/** A heat map of weights that the core computed, each against the largest. */
function heatMap({ weights }: Picture, label: string): Element {
  const largest = Math.max(...weights.flat());
  const cells = weights.flatMap((row, y) =>
    row.map((weight, x) => {
      const opacity = Number((0.05 + (0.95 * weight) / largest).toFixed(3));
      return s('rect', { x: x * 10, y: y * 10, width: 8.6, height: 8.6, rx: 1.8, opacity });
    }),
  );
  const viewBox = `0 0 ${weights[0]!.length * 10} ${weights.length * 10}`;
  const attributes = { viewBox, preserveAspectRatio: 'xMidYMid slice', role: 'img' };
  return s('svg.front-map', attributes, [s('title', label), ...cells]);
}

function card(lesson: SiteLesson, lang: Lang, path: string): Element {
  const { title, question, summary } = lesson.text[lang];
  return h('li', [
    h('a.lesson-card', { href: from(path, pathOf(lang, lesson)) }, [
      h('span.lesson-card-title', title),
      h('span.lesson-card-question', question),
      h('span.lesson-card-summary', summary),
    ]),
  ]);
}

function promises(say: Say): Element {
  return h(
    'ul.promises',
    ['real', 'train', 'home'].map((name) =>
      h('li', [h('b', say(`index.${name}`)), h('span', say(`index.${name}.more`))]),
    ),
  );
}

export function indexPage(site: Site, lang: Lang, around: Surroundings): string {
  const say = speaker(lang);
  const path = `${lang}/`;
  const body: ElementContent[] = [
    h('main', { id: 'main', tabIndex: -1 }, [
      h('div.hero', [
        h('div', [h('h1', say('index.title')), h('p.hero-lead', say('index.lead'))]),
        around.pictures ? heatMap(around.pictures.hero, say('index.picture')) : null,
      ]),
      promises(say),
      h('h2.contents-title', say('shell.lessons')),
      h(
        'ol.lesson-cards',
        site.lessons.map((lesson) => card(lesson, lang, path)),
      ),
      h('ul.more-pages', [
        h('li', [h('a', { href: 'proof/' }, say('shell.proof'))]),
        h('li', [h('a', { href: 'deviations/' }, say('shell.deviations'))]),
      ]),
    ]),
  ];
  const frame = {
    ...{
      path,
      lang,
      say,
      body,
      scripts: [],
      styles: [],
      bodyClass: 'index-page',
      twin: `${other(lang)}/`,
    },
    title: `${say('shell.name')} · ${say('index.title')}`,
    description: say('index.lead'),
  };
  return page(frame, around);
}

function door(site: Site, lang: Lang): Element {
  const say = speaker(lang);
  return h('section.door', { lang: LANG_TAG[lang], ariaLabelledBy: `door-${lang}` }, [
    h('h2', { id: `door-${lang}` }, say('index.door')),
    h('p.door-lead', say('index.lead')),
    h('p', [h('a.enter', { href: `${lang}/` }, say('index.enter'))]),
    h(
      'ol.door-lessons',
      site.lessons.map((lesson) =>
        h('li', [
          h('a', { href: pathOf(lang, lesson) }, lesson.text[lang].title),
          h('span', lesson.text[lang].question),
        ]),
      ),
    ),
  ]);
}

/** The site's root: both languages side by side, and the reader chooses. */
export function frontDoor(site: Site, around: Surroundings): string {
  const say = speaker('zh');
  const english = speaker('en');
  const names = `${say('shell.name')} · ${english('shell.name')}`;
  const body: ElementContent[] = [
    h('main', { id: 'main', tabIndex: -1 }, [
      h('div.front-head', [
        around.pictures ? heatMap(around.pictures.wide, say('index.picture')) : null,
        h('h1', [
          h('span', say('shell.name')),
          h('span.front-twin', { lang: 'en' }, english('shell.name')),
        ]),
      ]),
      h(
        'div.doors',
        LANGS.map((lang) => door(site, lang)),
      ),
    ]),
  ];
  return page(
    {
      ...{ path: '', lang: 'zh', say, body, scripts: [], styles: [], bodyClass: 'front-page' },
      title: names,
      description: `${say('index.lead')} ${english('index.lead')}`,
    },
    around,
  );
}
