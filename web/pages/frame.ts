// What every page has: head, header, footer. Built as a tree, so that all text is escaped in one place.

import type { Element, ElementContent, Root } from 'hast';
import { h } from 'hastscript';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import type { Lang } from '../src/shared/lesson.ts';
import type { KeyGroup } from '../src/shared/keys.ts';
import { helpButton, helpSheet } from './help.ts';
import { mark, themeIcons } from './icons.ts';
import type { Say } from './words.ts';
import type { Pictures } from './picture.ts';

export interface Frame {
  path: string; // of the page in the site: '', 'zh/', 'zh/bahdanau/'
  lang: Lang;
  say: Say;
  title: string;
  description: string;
  scripts: string[]; // module scripts besides the shell's
  styles: string[]; // style sheets besides the shell's
  body: ElementContent[]; // between header and footer
  bodyClass: string;
  menu?: string | undefined; // the id of the navigation that the menu button opens on a phone
  twin?: string | undefined; // the same page in the other language, relative to the site's root
  keys?: KeyGroup[]; // what its blocks understand, for the help sheet
}

/** Where things lie: in the built site the policy holds and the theme's script has a hashed name. */
export interface Surroundings {
  policy: boolean;
  theme: string; // relative to the site's root
  pictures?: Pictures | undefined;
}

// KaTeX sets style attributes and WebAssembly must compile; nothing else is allowed beyond our own files.
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export const LANG_TAG: Record<Lang, string> = { zh: 'zh-CN', en: 'en' };
export const other = (lang: Lang): Lang => (lang === 'zh' ? 'en' : 'zh');

/** From a page to a place given from the site's root. */
export const from = (path: string, to: string): string =>
  '../'.repeat(path.split('/').length - 1) + to || './';

/** The same page in each language, for search engines; shell/links.ts makes the addresses whole, for the site knows no host. */
function alternates({ path, lang, twin }: Frame): Element[] {
  if (twin === undefined) return [];
  const link = (hrefLang: string, to: string) =>
    h('link', { rel: 'alternate', hrefLang, href: from(path, to) });
  return [link(LANG_TAG[lang], path), link(LANG_TAG[other(lang)], twin)];
}

function head(frame: Frame, around: Surroundings): Element {
  const script = (src: string) => h('script', { type: 'module', src });
  const style = (href: string) => h('link', { rel: 'stylesheet', href });
  return h('head', [
    h('meta', { charSet: 'utf-8' }),
    around.policy ? h('meta', { httpEquiv: 'Content-Security-Policy', content: POLICY }) : null,
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('title', frame.title),
    h('meta', { name: 'description', content: frame.description }),
    h('link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }),
    // Both keep their names: no hash, so a page of an older build finds them still. Development has neither.
    ...(around.policy ? keptNames(frame.path) : []),
    ...alternates(frame),
    // Not a module: it must run before the first paint, or the dark theme would flash.
    h('script', { src: from(frame.path, around.theme), 'vite-ignore': true }),
    ...[...frame.styles, '/src/page/shell/style.css'].map(style),
    ...['/src/page/shell/shell.ts', ...frame.scripts].map(script),
  ]);
}

function keptNames(path: string): Element[] {
  return [
    h('link', { rel: 'manifest', href: from(path, 'manifest.webmanifest'), 'vite-ignore': true }),
    h('script', { src: from(path, 'recover.js'), async: true, 'vite-ignore': true }),
  ];
}

function themeButton(say: Say): Element {
  const choices = ['system', 'light', 'dark'];
  const labels = Object.fromEntries(
    choices.map((choice) => [
      `data-${choice}`,
      say('shell.theme', { now: say(`shell.theme.${choice}`) }),
    ]),
  );
  return h(
    'button.icon-button.needs-script',
    { type: 'button', id: 'theme', ...labels },
    themeIcons(),
  );
}

function menuButton(menu: string, say: Say): Element {
  return h('button.icon-button.menu-button', { type: 'button', popovertarget: menu }, [
    h('span.menu-bars', { ariaHidden: 'true' }),
    h('span.vh', say('shell.menu')),
  ]);
}

function header({ say, path, lang, menu, twin }: Frame): Element {
  const twinLang = LANG_TAG[other(lang)];
  const twinLink = (to: string) =>
    h(
      'a#language.language-link',
      { href: from(path, to), hrefLang: twinLang, lang: twinLang },
      say('shell.twin'),
    );
  return h('header.page-top', [
    menu === undefined ? null : menuButton(menu, say),
    h('a.brand', { href: from(path, `${lang}/`) }, [
      mark(),
      h('b', say('shell.name')),
      h('span.brand-twin', { lang: twinLang }, say('shell.name.twin')),
    ]),
    h('div.page-tools', [
      twin === undefined ? null : twinLink(twin),
      helpButton(say),
      themeButton(say),
    ]),
  ]);
}

function footer({ say, path, lang }: Frame): Element {
  return h('footer.page-foot', [
    h('p', [say('shell.private'), h('span#kept', { hidden: true }, ` ${say('shell.kept')}`)]),
    h('p', [h('a', { href: from(path, `${lang}/proof/`) }, say('shell.proof'))]),
    h('p', [h('a', { href: from(path, `${lang}/deviations/`) }, say('shell.deviations'))]),
    h('p', [h('a', { href: from(path, 'licences.txt') }, say('shell.licences'))]),
    h('p', say('shell.credit')),
  ]);
}

/** What the page has to say of itself, hidden until it is so. */
function news(say: Say): Element {
  const reload = h('button', { type: 'button', dataReload: '' }, say('error.reload'));
  return h('div.page-news', { role: 'status' }, [
    h('div#renewed', { hidden: true }, [
      h('p', say('shell.renewed')),
      reload,
      h('button', { type: 'button', dataLater: '' }, say('shell.later')),
    ]),
    h('div#broken', { hidden: true }, [h('p', say('shell.broken')), reload]),
  ]);
}

const stringify = unified().use(rehypeStringify);

export function page(frame: Frame, around: Surroundings): string {
  const tree: Root = h(null, [
    { type: 'doctype' } as never,
    h('html', { lang: LANG_TAG[frame.lang] }, [
      head(frame, around),
      h('body', { className: [frame.bodyClass] }, [
        h('a.skip', { href: '#main' }, frame.say('shell.skip')),
        header(frame),
        ...frame.body,
        footer(frame),
        news(frame.say),
        helpSheet(frame.keys ?? [], frame.say),
      ]),
    ]),
  ]);
  return stringify.stringify(tree);
}

/** Data for a script, as inert text: `<` cannot end the element, and the policy has nothing to refuse. */
export function dataScript(id: string, data: unknown): Element {
  const json = JSON.stringify(data)
    .replace(/</g, '\\u003c')
    .replace(/\u2028|\u2029/g, escapeSeparator);
  return h('script', { type: 'application/json', id }, json);
}

const escapeSeparator = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
