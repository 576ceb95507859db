// The help sheet of a page: the keys of what stands on it. `?` opens it, and the button in the header.

import type { Element } from 'hast';
import { h } from 'hastscript';
import { KEYS, type KeyGroup } from '../src/shared/keys.ts';
import type { Kinds } from './check.ts';
import type { SiteLesson } from './site.ts';
import type { Say } from './words.ts';

const ID = 'help';

/** What a lesson's blocks understand, in the order of the sheet. */
export function keysOf({ lesson }: SiteLesson, kinds: Kinds): KeyGroup[] {
  const used = Object.values(lesson.blocks).flatMap(({ kind }) => kinds.get(kind)?.keys ?? []);
  const every: KeyGroup[] = Object.keys(lesson.blocks).length > 0 ? ['block'] : [];
  return (Object.keys(KEYS) as KeyGroup[]).filter((group) => [...every, ...used].includes(group));
}

function row(group: KeyGroup, name: string, keys: readonly string[], say: Say): Element {
  return h('div', [
    h(
      'dt',
      keys.flatMap((key, i) => [i > 0 ? ' ' : '', h('kbd', key)]),
    ),
    h('dd', say(`keys.${group}.${name}`)),
  ]);
}

function section(group: KeyGroup, say: Say): Element {
  const id = `keys-${group}`;
  const rows = Object.entries<readonly string[]>(KEYS[group]);
  return h('section', { ariaLabelledBy: id }, [
    h('h3', { id }, say(`keys.${group}`)),
    h(
      'dl.keys',
      rows.map(([name, keys]) => row(group, name, keys, say)),
    ),
  ]);
}

export function helpButton(say: Say): Element {
  const attributes = { type: 'button', id: 'help-open', title: say('help.open') };
  return h('button.icon-button.needs-script', { ...attributes, ariaHasPopup: 'dialog' }, [
    h('span.help-mark', { ariaHidden: 'true' }, '?'),
    h('span.vh', say('help.open')),
  ]);
}

export function helpSheet(groups: KeyGroup[], say: Say): Element {
  return h('dialog.sheet', { id: ID, ariaLabelledBy: 'help-title' }, [
    h('div.sheet-head', [
      h('h2#help-title', say('help.title')),
      h('button.icon-button', { type: 'button', dataClose: ID }, [
        h('span.sheet-close', { ariaHidden: 'true' }, '×'),
        h('span.vh', say('help.close')),
      ]),
    ]),
    h(
      'div.sheet-body',
      (['page', ...groups] as KeyGroup[]).map((group) => section(group, say)),
    ),
    // A key without a modifier must be possible to turn off: speech input types letters (WCAG 2.1.4).
    h('label.sheet-foot', [
      h('input', { type: 'checkbox', id: 'help-key', checked: true }),
      say('help.key'),
    ]),
  ]);
}
