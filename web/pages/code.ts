// Code fences: coloured while the site is built, by classes of the site's own theme.

import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { createCssVariablesTheme, createHighlighter, type Highlighter } from 'shiki';
import { visit, SKIP } from 'unist-util-visit';
import type { VFile } from 'vfile';

const LANGUAGES = ['python', 'cpp', 'typescript', 'bash', 'json', 'text'];
const theme = createCssVariablesTheme({
  name: 'lab',
  variablePrefix: '--code-',
  variableDefaults: {},
});

let highlighter: Promise<Highlighter> | undefined;
const ready = () => (highlighter ??= createHighlighter({ themes: [theme], langs: LANGUAGES }));

/** Code of one language as a tree of coloured spans, lines apart. */
export async function coloured(text: string, lang: string): Promise<Root> {
  return (await ready()).codeToHast(text, { lang, theme: 'lab', structure: 'inline' });
}

function languageOf(code: Element): string {
  const classes = code.properties['className'] ?? [];
  return classes.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? 'text';
}

export function highlight() {
  return async (tree: Root, file: VFile): Promise<void> => {
    const shiki = await ready();
    visit(tree, 'element', (pre, index, parent) => {
      const code = pre.children[0];
      if (pre.tagName !== 'pre' || code?.type !== 'element' || !parent || index === undefined)
        return;
      const lang = languageOf(code);
      if (!LANGUAGES.includes(lang)) file.fail(`no colours for code in "${lang}"`, pre);
      const coloured = shiki.codeToHast(toString(code).replace(/\n$/, ''), { lang, theme: 'lab' });
      const [first] = coloured.children;
      if (first?.type === 'element') parent.children[index] = first;
      return SKIP;
    });
  };
}
