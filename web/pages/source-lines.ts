// `virtual:code`: the lines of PyTorch and of the core that made a step (src/page/blocks/stage/code/ says which),
// found in their files and coloured while the site is built. A fragment that is gone or stands there twice is a problem
// that `./run check` tells.

import type { ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { runnerImport, type Plugin } from 'vite';
import type { Anchor, Lines } from '../src/page/blocks/stage/code/lines.ts';
import { coloured } from './code.ts';
import { namesIn } from './folder.ts';

const NAME = 'virtual:code';
const TABLE = 'src/page/blocks/stage/code/index.ts';
const FOLDERS = { py: 'tests/parity', cpp: 'src' } as const;
const LANGUAGES = { py: 'python', cpp: 'cpp' } as const;
const LONGEST = 8; // lines of one statement

type Side = keyof typeof FOLDERS;
const SIDES: Side[] = ['py', 'cpp'];

interface Table {
  CODE: Record<string, Lines>;
  codeKey: (
    step: string,
    op: string,
    pass: 'forward',
    model: string,
    looped?: boolean,
  ) => string | undefined;
}

export interface Snippet {
  file: string; // from the root of the repository
  line: number;
  text: string; // whole lines, without the indentation that all share
}

/** Where in the text the fragment is to be looked for: between an anchor and its end, or everywhere. */
function range(text: string, anchor: string | undefined): [from: number, to: number] {
  if (anchor === undefined) return [0, text.length];
  const from = text.indexOf(`[anchor: ${anchor}]`);
  if (from < 0) throw new Error(`there is no anchor "${anchor}"`);
  const to = text.indexOf('[anchor end]', from);
  return [from, to < 0 ? text.length : to];
}

function place(text: string, fragment: string, anchor: string | undefined): number {
  const [from, to] = range(text, anchor);
  const part = text.slice(from, to);
  const first = part.indexOf(fragment);
  if (first < 0) throw new Error(`nothing reads "${fragment}"`);
  if (part.indexOf(fragment, first + 1) >= 0) throw new Error(`"${fragment}" stands there twice`);
  return from + first;
}

/** How many brackets a line opens more than it closes; those in strings do not count. */
function depth(line: string): number {
  const code = line.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...code].reduce(
    (sum, c) => sum + ('([{'.includes(c) ? 1 : ')]}'.includes(c) ? -1 : 0),
    0,
  );
}

/** The whole statement around a line: as many lines as its brackets need. */
function statement(lines: string[], at: number): [first: number, last: number] {
  let first = at;
  let last = at;
  let open = depth(lines[at]!);
  while (open < 0 && first > 0 && last - first < LONGEST) open += depth(lines[--first]!);
  const goesOn = (): boolean => open > 0 || /^\s*(?:if|for|while) \(.*\)$/.test(lines[last]!);
  while (goesOn() && last < lines.length - 1 && last - first < LONGEST)
    open += depth(lines[++last]!);
  return [first, last];
}

const INDENT = 4;

/** Without the indentation that all lines share; what goes on far to the right goes on a little to the right. */
function dedent(lines: string[]): string {
  const indent = (line: string): number => /^ */.exec(line)![0].length;
  const least = Math.min(...lines.filter((line) => line.trim() !== '').map(indent));
  const shown = (line: string): string =>
    ' '.repeat(Math.min(INDENT, Math.max(0, indent(line) - least))) + line.trimStart();
  return lines.map(shown).join('\n');
}

/** A case of the ops' goldens (`case("add", torch.add, lambda r: …)`) is shown by its op alone: the numbers that it draws
 *  are the test's. */
function opOfCase(text: string): string {
  return /^case\("\w+", (?:lambda [^:]+: )?(.+), lambda r: /.exec(text)?.[1] ?? text;
}

/** Throws if the fragment is not there, or more than once. */
export function snippet(file: string, source: string, [, fragment, anchor]: Anchor): Snippet {
  const at = place(source, fragment, anchor);
  const lines = source.split('\n');
  const [first, last] = statement(lines, source.slice(0, at).split('\n').length - 1);
  return { file, line: first + 1, text: opOfCase(dedent(lines.slice(first, last + 1))) };
}

// ---- colours of the roles, over those of the language

const ROLES: [role: string, names: RegExp][] = [
  ['q', /^(?:quer(?:y|ies)|q|dq|W_q|query_projected)$/],
  ['k', /^(?:keys?|k|dk|W_k|keys_projected|projected_keys)$/],
  ['v', /^(?:values|v|dv|W_v)$/],
  ['w', /^weights$/],
  ['c', /^(?:contexts?|found)$/],
];

/** Of the language's own tokens only those differ that a reader skips or looks for: colours are for the roles. */
function kindOf(style: string, text: string): string | undefined {
  if (/token-(?:string|comment)/.test(style)) return 'soft';
  return /token-keyword/.test(style) && /^\s*[a-z_]+\s*$/.test(text) ? 'strong' : undefined;
}

const span = (name: string, value: string): ElementContent => ({
  type: 'element',
  tagName: 'span',
  properties: { className: [name] },
  children: [{ type: 'text', value }],
});

/** `queries` in the code has the colour of :q[queries] in the prose; a method of that name (`x.values()`) has none. */
function tinted(value: string, before: string): ElementContent[] {
  let read = before;
  return value.split(/(?<!\w)([A-Za-z_]\w*)/).map((part, i): ElementContent => {
    const own = !/(?:\.|->)$/.test(read) || read.endsWith('self.');
    const role = i % 2 === 1 && own ? ROLES.find(([, names]) => names.test(part))?.[0] : undefined;
    read += part;
    return role === undefined ? { type: 'text', value: part } : span(`t${role}`, part);
  });
}

async function html({ text }: Snippet, side: Side): Promise<string> {
  let before = '';
  const set = (token: ElementContent): ElementContent[] => {
    if (token.type !== 'element' || token.tagName !== 'span') return [token]; // the end of a line
    const value = toString(token);
    const kind = kindOf(String(token.properties['style'] ?? ''), value);
    const out = kind === undefined ? tinted(value, before) : [span(kind, value)];
    before += value;
    return out;
  };
  const { children } = await coloured(text, LANGUAGES[side]);
  const tree: Root = { type: 'root', children: (children as ElementContent[]).flatMap(set) };
  return unified().use(rehypeStringify).stringify(tree);
}

// ---- the table

async function readTable(web: string): Promise<Table> {
  return (await runnerImport<Table>(join(web, TABLE), { configFile: false, logLevel: 'error' }))
    .module;
}

function reader(repo: string): (side: Side, anchor: Anchor) => Snippet {
  const read = new Map<string, string>();
  return (side, anchor) => {
    const file = `${FOLDERS[side]}/${anchor[0]}`;
    if (!read.has(file)) {
      if (!existsSync(join(repo, file))) throw new Error(`there is no ${file}`);
      read.set(file, readFileSync(join(repo, file), 'utf8'));
    }
    try {
      return snippet(file, read.get(file)!, anchor);
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
    }
  };
}

/** Names of all steps of the models that ship, by model: what the goldens of their runs hold. */
export function stepsOfModels(repo: string): Map<string, Set<string>> {
  const folder = join(repo, 'tests/parity/goldens/steps');
  const named = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { steps, ...rest } = value as { steps?: object };
    return [...Object.keys(steps ?? {}), ...Object.values(rest).flatMap(named)];
  };
  return new Map(
    namesIn(folder).map((file) => [
      file.replace('.json', '').replace('_', '-'),
      new Set(named(JSON.parse(readFileSync(join(folder, file), 'utf8')))),
    ]),
  );
}

/** A part of a formula that somebody typed is named by its text, and has the line of its op. */
const isFormula = (step: string): boolean => /[^\w.]/.test(step);

/** What `./run check` tells: fragments that are gone or ambiguous, and steps without a line. */
export async function codeProblems(repo: string): Promise<string[]> {
  const { CODE } = await readTable(join(repo, 'web'));
  const find = reader(repo);
  const problems = Object.entries(CODE).flatMap(([key, lines]) =>
    SIDES.flatMap((side) =>
      lines[side].flatMap((anchor) => {
        try {
          find(side, anchor);
          return [];
        } catch (error) {
          return [`web/${TABLE}: "${key}": ${(error as Error).message}`];
        }
      }),
    ),
  );
  return [...problems, ...(await stepsWithoutCode(repo))];
}

async function stepsWithoutCode(repo: string): Promise<string[]> {
  const { CODE, codeKey } = await readTable(join(repo, 'web'));
  const ops = [
    ...new Set(Object.keys(CODE).flatMap((key) => /(?<=^op | )[a-z_]+$/.exec(key) ?? [])),
  ];
  return [...stepsOfModels(repo)].flatMap(([model, steps]) =>
    [...steps]
      .filter((step) => !isFormula(step))
      .filter((step) => {
        const keys = ['', ...ops].map((op) => codeKey(step, op, 'forward', model));
        return !keys.some((key) => key !== undefined && !key.startsWith('op '));
      })
      .map((step) => `web/${TABLE}: "${step}" of ${model} has no line of code`),
  );
}

/** Each line is set once, however many steps it made. */
async function moduleSource(web: string): Promise<string> {
  const { CODE } = await readTable(web);
  const find = reader(join(web, '..'));
  const set: (Omit<Snippet, 'text'> & { html: string })[] = [];
  const known = new Map<string, number>();
  const index = async (side: Side, anchor: Anchor): Promise<number> => {
    const found = find(side, anchor);
    const key = `${found.file}:${found.line}`;
    if (!known.has(key)) {
      known.set(key, set.length);
      set.push({ file: found.file, line: found.line, html: '' });
      set[known.get(key)!]!.html = await html(found, side);
    }
    return known.get(key)!;
  };
  const table: Record<string, Record<Side, number[]>> = {};
  for (const [key, lines] of Object.entries(CODE)) {
    table[key] = { py: [], cpp: [] };
    for (const side of SIDES)
      for (const anchor of lines[side]) table[key][side].push(await index(side, anchor));
  }
  return `export const lines = ${JSON.stringify(set)};\nexport const code = ${JSON.stringify(table)};`;
}

export function sourceLines(web: string): Plugin {
  return {
    name: 'attention-lab:code',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(join(web, TABLE));
      return moduleSource(web);
    },
  };
}
