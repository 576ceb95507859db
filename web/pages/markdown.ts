// One lesson's Markdown in one language → its HTML as a tree, and what it mentions.

import type { Element, ElementContent, Root } from 'hast';
import rehypeKatex from 'rehype-katex';
import remarkDirective from 'remark-directive';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { VFile } from 'vfile';
import { highlight } from './code.ts';
import { directives, headingIds, ROLES, type Found } from './directives.ts';
import { figures, sections, type Section } from './figures.ts';

export interface Rendered extends Found {
  content: ElementContent[];
  sections: Section[];
}

export interface RenderOptions {
  path: string; // for messages
  block: (id: string) => Element;
  link: (lesson: string) => string | undefined; // the address of a lesson, by its slug
}

/** `\q{…}` in a formula takes the colour of `:q[…]` in the prose. */
export const MACROS = Object.fromEntries(
  ROLES.map((role) => [`\\${role}`, `\\htmlClass{t${role}}{#1}`]),
);

export const KATEX = {
  macros: MACROS,
  trust: ({ command }: { command: string }) => command === '\\htmlClass',
  strict: (code: string) => (code === 'htmlExtension' ? 'ignore' : 'error'),
};

/** `[核回归](lesson:kernel-regression#average)` → an address that works from any folder. */
function lessonLinks(address: RenderOptions['link']) {
  return () =>
    (tree: Root, file: VFile): void => {
      visit(tree, 'element', (node) => {
        const href = node.properties['href'];
        if (typeof href !== 'string' || !href.startsWith('lesson:')) return;
        const [slug = '', fragment] = href.slice('lesson:'.length).split('#');
        const to = address(slug);
        if (to === undefined) return file.fail(`no lesson "${slug}"`, node);
        node.properties['href'] = fragment ? `${to}#${fragment}` : to;
      });
    };
}

/** `**“词”**接着` is no emphasis in Markdown: the stars would be printed. */
function noStrayStars() {
  return (tree: Root, file: VFile): void => {
    visit(tree, (node) => {
      if (node.type === 'element' && node.tagName === 'code') return SKIP;
      if (node.type === 'text' && node.value.includes('**'))
        file.fail(`"${node.value.trim()}": these stars mark nothing`, node);
    });
  };
}

const CLOSING = /^[，。；：、！？）”’」》,.;:!?)]+/;
const SHORT = 16; // signs of a formula that may stand unbroken in the narrowest column

/** Browsers break a line between a formula and what follows it, even before a comma: a short one keeps its closing marks. */
function keptTogether() {
  return (tree: Root): void => {
    visit(tree, 'element', (node, index, parent) => {
      const [text] = node.children;
      const next = parent?.children[(index ?? 0) + 1];
      const classes = node.properties['className'];
      if (!Array.isArray(classes) || !classes.includes('math-inline')) return undefined;
      if (index === undefined || text?.type !== 'text' || next?.type !== 'text') return SKIP;
      const marks = CLOSING.exec(next.value)?.[0];
      const signs = text.value.replace(/\\[a-z]+/gi, 'x').replace(/[{}^_\s]/g, '');
      if (marks === undefined || signs.length > SHORT) return SKIP;
      next.value = next.value.slice(marks.length);
      const mark: ElementContent = { type: 'text', value: marks };
      const together: Element = {
        type: 'element',
        tagName: 'span',
        properties: { className: ['together'] },
        children: [node, mark],
      };
      parent!.children[index] = together;
      return SKIP;
    });
  };
}

function refuseWarnings(file: VFile): void {
  const [first] = file.messages;
  if (!first) return;
  if (first.cause instanceof Error) first.message += `: ${first.cause.message}`;
  throw first;
}

export async function render(markdown: string, options: RenderOptions): Promise<Rendered> {
  const found: Found = { blocks: [], terms: [] };
  const parts: Section[] = [];
  const file = new VFile({ path: options.path, value: markdown });
  const pipeline = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkMath)
    .use(remarkDirective)
    .use(headingIds)
    .use(directives(found))
    .use(remarkRehype)
    .use(noStrayStars)
    .use(keptTogether)
    .use(rehypeKatex, KATEX as object)
    .use(highlight)
    .use(lessonLinks(options.link))
    .use(figures(options.block))
    .use(sections(parts));
  const tree = await pipeline.run(pipeline.parse(file), file);
  refuseWarnings(file);
  return { content: tree.children as ElementContent[], sections: parts, ...found };
}
