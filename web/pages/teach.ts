// At the end of a lesson, for those who teach with it: an experiment for a page of one's own, the lesson on paper, a citation.
// src/page/shell/teach.ts brings it to life.

import type { Element } from 'hast';
import { h } from 'hastscript';
import { readFileSync } from 'node:fs';
import type { Lang } from '../src/shared/lesson.ts';
import type { SiteLesson } from './site.ts';
import type { Say } from './words.ts';

/** Who and when, as the licence has it. */
const LICENSE = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');
const [, YEAR = '', AUTHOR = ''] = /Copyright \(c\) (\d+) (.+)/.exec(LICENSE) ?? [];

/** Parts of a stage that a frame can do without. */
const PARTS = ['strip', 'scrubber', 'formula', 'code', 'shape', 'map', 'inspector', 'home'];

const status = (id: string): Element => h('span.teach-said', { id, role: 'status' });

function copyButton(of: string, say: Say): Element {
  return h('button.teach-button', { type: 'button', dataCopy: of }, say('teach.copy'));
}

function embed(say: Say): Element {
  const hide = PARTS.map((part) =>
    h('label', [h('input', { type: 'checkbox', name: 'hide', value: part }), say(`part.${part}`)]),
  );
  return h('section.teach-card', { ariaLabelledBy: 'teach-embed' }, [
    h('h3#teach-embed', say('teach.embed')),
    h('p', say('teach.embed.about')),
    h('div.teach-row', [
      h('label', { for: 'embed-block' }, say('teach.embed.block')),
      h('select#embed-block'), // filled from the page
    ]),
    h('fieldset#embed-hide', [h('legend', say('teach.embed.hide')), ...hide]),
    h('label.teach-check', [
      h('input#embed-state', { type: 'checkbox', checked: true }),
      say('teach.embed.state'),
    ]),
    h('label.vh', { for: 'embed-code' }, say('teach.embed.code')),
    h('textarea#embed-code', { readOnly: true, rows: 5, spellCheck: 'false', lang: 'en' }),
    h('div.teach-row', [
      copyButton('embed-code', say),
      h('a#embed-look', { href: '?embed=', target: '_blank' }, say('teach.embed.look')),
      status('embed-code-said'),
    ]),
  ]);
}

function cite(lesson: SiteLesson, lang: Lang, say: Say): Element {
  const { title, question } = lesson.text[lang];
  const data = {
    dataAuthor: AUTHOR,
    dataYear: YEAR,
    dataTitle: `${title}${say('cite.colon')}${question}`,
    dataKey: `attention-lab-${lesson.slug}`,
    dataPlain: say('cite.plain', { author: AUTHOR, year: YEAR, site: say('shell.name') }),
    dataNote: say('cite.note', { site: say('shell.name') }),
  };
  const style = (name: string): Element[] => [
    h('label', { for: `cite-${name}` }, say(`cite.${name}`)),
    h(`textarea#cite-${name}`, {
      readOnly: true,
      rows: name === 'bibtex' ? 8 : 3,
      spellCheck: 'false',
    }),
    h('div.teach-row', [copyButton(`cite-${name}`, say), status(`cite-${name}-said`)]),
  ];
  return h('section.teach-card#cite', { ariaLabelledBy: 'teach-cite', ...data }, [
    h('h3#teach-cite', say('teach.cite')),
    ...style('text'),
    ...style('bibtex'),
  ]);
}

function paper(say: Say): Element {
  return h('section.teach-card', { ariaLabelledBy: 'teach-print' }, [
    h('h3#teach-print', say('teach.print')),
    h('p', say('teach.print.about')),
    h('div.teach-row', [
      h('button#print.teach-button', { type: 'button' }, say('teach.print.go')),
      status('print-said'),
    ]),
    h('h3', say('teach.slides')),
    h('p', say('teach.slides.about')),
  ]);
}

export function teachSection(lesson: SiteLesson, lang: Lang, say: Say): Element {
  const said = {
    dataFrame: say('teach.frame'),
    dataFrameTitle: say('teach.frame.title'),
    dataCopied: say('teach.copied'),
    dataByHand: say('teach.byHand'),
    dataPreparing: say('teach.print.preparing'),
  };
  return h('details.teach.needs-script', { id: 'teach', ...said }, [
    h('summary', [h('h2', say('teach.title'))]),
    h('div.teach-cards', [embed(say), h('div', [paper(say), cite(lesson, lang, say)])]),
  ]);
}
