// Turns the lesson's tree into sections and figures.

import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { h } from 'hastscript';
import { visit } from 'unist-util-visit';
import type { Room } from '../src/shared/lesson.ts';

export interface Section {
  id: string;
  title: string;
}

/** How a block stands in the page before it comes alive. */
export interface Placeholder {
  kind: string;
  room: Room;
}

/** The room a block will take is kept from the start, so that nothing jumps when it comes alive. */
export function blockElement(
  id: string,
  at: Placeholder,
  waiting: string,
  without: string,
): Element {
  const style = `--room:${at.room.wide}rem;--room-narrow:${at.room.narrow}rem`;
  return h('div.block', { dataBlock: id, dataKind: at.kind, style }, [
    h('p.block-wait', [h('span.block-pulse', { ariaHidden: 'true' }), waiting]),
    h('noscript', [h('p.block-wait', without)]),
  ]);
}

/** `<figure data-figure="id">caption</figure>` → the block, and its caption below. */
export function figures(make: (id: string) => Element) {
  return () =>
    (tree: Root): void => {
      visit(tree, 'element', (node) => {
        if (node.tagName !== 'figure') return;
        const id = String(node.properties['dataFigure']);
        delete node.properties['dataFigure'];
        const caption = node.children;
        const empty = caption.every((child) => child.type === 'text' && child.value.trim() === '');
        node.children = [make(id), ...(empty ? [] : [h('figcaption', caption)])];
      });
    };
}

/** What stands before the first `##` opens the lesson; each `##` with what follows is a section. */
export function sections(found: Section[]) {
  return () =>
    (tree: Root): void => {
      const out: Element[] = [h('section.opening', { id: 'start' })];
      for (const node of tree.children) {
        if (node.type === 'doctype') continue;
        if (node.type === 'element' && node.tagName === 'h2') out.push(sectionFor(node, found));
        out.at(-1)!.children.push(node);
      }
      tree.children = out;
    };
}

function sectionFor(heading: Element, found: Section[]): Element {
  const id = String(heading.properties['id']);
  found.push({ id, title: toString(heading) });
  heading.properties['id'] = `${id}-title`;
  return h('section', { id, ariaLabelledBy: `${id}-title`, tabIndex: -1 });
}
