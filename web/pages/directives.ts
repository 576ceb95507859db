// The signs of a lesson's Markdown, beyond what Markdown has:
//   :q[查询] :k[键] :v[值] :w[权重] :c[上下文] :o[输出]   a word in the colour of its role
//   :term[汇聚]{#pooling}                             a word of the glossary
//   ::block{#fit}   or   :::block{#fit} caption :::   an experiment, declared in lesson.json
//   :::ask … :::    a question;   :::rule … :::       what to remember, in a sentence
//   :::why[title] … :::                               a fold for those who want to know why

import type { Blockquote, Paragraph, PhrasingContent, Root } from 'mdast';
import type {
  ContainerDirective,
  Directives,
  LeafDirective,
  TextDirective,
} from 'mdast-util-directive';
import { visit } from 'unist-util-visit';
import type { VFile } from 'vfile';

export const ROLES = ['q', 'k', 'v', 'w', 'c', 'o'] as const;

export interface Found {
  blocks: string[]; // ids, in order
  terms: string[]; // ids, by first use
}

/** Element name and attributes for remark-rehype. */
function become(node: Directives | Blockquote, hName: string, className: string, more = {}): void {
  node.data = { ...node.data, hName, hProperties: { className: [className], ...more } };
}

function textDirective(node: TextDirective, found: Found, file: VFile): void {
  const role = ROLES.find((name) => name === node.name);
  if (role !== undefined) return become(node, 'span', `t${role}`);
  if (node.name !== 'term')
    file.fail(
      `unknown sign ":${node.name}" (a plain colon before a letter is written "\\:")`,
      node,
    );
  const id = node.attributes?.['id'];
  if (!id) return file.fail('a term names its glossary entry: :term[word]{#id}', node);
  if (!found.terms.includes(id)) found.terms.push(id);
  become(node, 'a', 'term', { href: `#term-${id}` });
}

function block(node: LeafDirective | ContainerDirective, found: Found, file: VFile): void {
  const id = node.attributes?.['id'];
  if (!id) return file.fail('a block names its entry in lesson.json: ::block{#id}', node);
  found.blocks.push(id);
  become(node, 'figure', 'figure', { dataFigure: id });
}

const isLabel = (node: unknown): node is Paragraph =>
  (node as Paragraph).data !== undefined &&
  (node as { data: { directiveLabel?: boolean } }).data.directiveLabel === true;

function why(node: ContainerDirective, file: VFile): void {
  const [label] = node.children;
  if (!isLabel(label)) return file.fail('a fold has a title: :::why[title]', node);
  label.data = { ...label.data, hName: 'summary' };
  become(node, 'details', 'why');
}

function containerDirective(node: ContainerDirective, found: Found, file: VFile): void {
  if (node.name === 'block') return block(node, found, file);
  if (node.name === 'why') return why(node, file);
  if (node.name === 'ask') return become(node, 'div', 'ask');
  if (node.name === 'rule') return become(node, 'div', 'rule');
  file.fail(`unknown sign ":::${node.name}"`, node);
}

export function directives(found: Found) {
  return () =>
    (tree: Root, file: VFile): void => {
      visit(tree, (node) => {
        if (node.type === 'html')
          file.fail(`HTML would vanish from the page: write "${node.value}" in backticks`, node);
        if (node.type === 'textDirective') textDirective(node, found, file);
        else if (node.type === 'containerDirective') containerDirective(node, found, file);
        else if (node.type === 'leafDirective' && node.name === 'block') block(node, found, file);
        else if (node.type === 'leafDirective') file.fail(`unknown sign "::${node.name}"`, node);
      });
    };
}

const HEADING_ID = /\s*\{#([a-z][a-z0-9-]*)\}\s*$/;

/** `## 平均汇聚 {#average}`: the id is the same in both languages, so a link survives the language switch. */
export function headingIds() {
  return (tree: Root, file: VFile): void => {
    visit(tree, 'heading', (node) => {
      if (node.depth === 1)
        file.fail('the title stands in the front matter: headings begin at ##', node);
      const last: PhrasingContent | undefined = node.children.at(-1);
      const match = last?.type === 'text' ? HEADING_ID.exec(last.value) : null;
      if (match && last?.type === 'text') {
        last.value = last.value.slice(0, match.index);
        node.data = { ...node.data, hProperties: { id: match[1] } };
      } else if (node.depth === 2) {
        file.fail('a section has an id that both languages share: ## Title {#id}', node);
      }
    });
  };
}
