// `virtual:pytorch`: a script in PyTorch for each model, to take home. It is made of the very modules that the core is held to
// (tests/parity): one file of the definitions that a model's main function reaches, in their order, and nothing else.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:pytorch';

/** Later files may use earlier ones. */
const FILES = [
  'golden',
  'model_file',
  'modules',
  'transformer',
  'model_goldens',
  'regression_steps',
  'step_goldens',
  'take_away',
];

/** The main function of each model, in take_away.py. */
export const ROOTS: Record<string, string> = {
  'kernel-regression': 'take_kernel_regression',
  seq2seq: 'take_seq2seq',
  bahdanau: 'take_bahdanau',
  transformer: 'take_transformer',
};

/** A name in a file of ours. */
interface Place {
  file: string;
  name: string;
}

/** `from` a module, or the module itself. */
interface Import {
  from: string | undefined;
  what: string;
}

/** A statement of the top level. */
interface Chunk {
  file: string;
  code: string;
  defines: string[];
  uses: Place[];
}

interface Module {
  chunks: Chunk[];
  /** Names that come from outside, and how each is imported. */
  outside: Map<string, Import>;
  /** Names of this file that stand for a whole file of ours, or for a definition in one. */
  files: Map<string, string>;
  names: Map<string, Place>;
}

/** The lines of each statement that begins in the first column. */
export function statements(source: string): string[] {
  const found: string[][] = [];
  let inText = false;
  let decorated = false;
  for (const line of source.split('\n')) {
    const begins = !inText && /^[^\s)\]}#]/.test(line);
    if (begins && !decorated) found.push([]);
    if (begins) decorated = line.startsWith('@');
    if (!inText && line.startsWith('#')) {
      found.push([]); // what stands above a comment is over, and the comment belongs to nobody
      continue;
    }
    found.at(-1)?.push(line);
    if ((line.split('"""').length - 1) % 2 === 1) inText = !inText;
  }
  return found.map((lines) => lines.join('\n').trimEnd()).filter((text) => text !== '');
}

/** Names that the code reads, without those in texts and comments and those behind a point. */
function namesIn(code: string): Set<string> {
  const bare = code
    .replace(/"""[\s\S]*?"""/g, '""')
    .replace(/(?<![A-Za-z0-9_])(f?)"((?:[^"\\\n]|\\.)*)"/g, (_, f: string, inner: string) =>
      f === '' ? '""' : [...inner.matchAll(/\{([^{}]*)\}/g)].map(([, expr]) => ` ${expr} `).join(),
    )
    .replace(/#.*/g, '');
  const found = new Set([...bare.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)].map(([name]) => name));
  for (const name of parameters(bare)) found.delete(name);
  return found;
}

/** What the functions of the code are given: a name of theirs is none of the top level. */
function parameters(code: string): string[] {
  return [...code.matchAll(/def \w+\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((each) => each.replace(/=.*/s, '').trim()),
  );
}

function defined(code: string): string[] {
  const block = /^(?:@.*\n)*(?:def|class) (\w+)/.exec(code);
  if (block) return [block[1]!];
  const [, names] = /^([\w, ]+?)\s*=[^=]/.exec(code) ?? [];
  return names?.split(',').map((name) => name.trim()) ?? [];
}

function addImport(code: string, module: Module): void {
  const from = /^from (\S+) import ([\s\S]+)$/.exec(code);
  const names = (from?.[2] ?? code.replace(/^import /, '')).replace(/[()\n]/g, ' ').split(',');
  for (const part of names.map((name) => name.trim()).filter((name) => name !== '')) {
    const [name = '', alias = name] = part.split(/\s+as\s+/);
    const ours = FILES.includes(from?.[1] ?? name);
    if (from && ours) module.names.set(alias, { file: from[1]!, name });
    else if (ours) module.files.set(alias, name);
    else module.outside.set(alias.split('.')[0]!, { from: from?.[1], what: part });
  }
}

function read(file: string, source: string): Module {
  const module: Module = { chunks: [], outside: new Map(), files: new Map(), names: new Map() };
  for (const code of statements(source)) {
    if (code.startsWith('"""') || code.startsWith('if __name__')) continue;
    if (/^(?:from|import) /.test(code)) addImport(code, module);
    else module.chunks.push({ file, code, defines: defined(code), uses: [] });
  }
  for (const chunk of module.chunks) {
    chunk.uses = [...namesIn(chunk.code)].map((name) => module.names.get(name) ?? { file, name });
    inOneFile(chunk, module);
  }
  return module;
}

/** `goldens.padded` is `padded` in a script of one file. */
function inOneFile(chunk: Chunk, { files }: Module): void {
  for (const [alias, file] of files)
    chunk.code = chunk.code.replace(
      new RegExp(`(?<![\\w.])${alias}\\.(\\w+)`, 'g'),
      (_, name: string) => {
        chunk.uses.push({ file, name });
        return name;
      },
    );
}

/** What `root` reaches, in the order of the files. Throws where two files define a name that both are needed. */
export function bundle(sources: Record<string, string>, root: string): string {
  const modules = new Map(Object.entries(sources).map(([file, text]) => [file, read(file, text)]));
  const owner = new Map<string, Chunk>();
  const imports = new Set<Import>();
  const want = ({ file, name }: Place): void => {
    const module = modules.get(file);
    const line = module?.outside.get(name);
    if (line !== undefined) imports.add(line);
    const chunk = module?.chunks.find(({ defines }) => defines.includes(name));
    if (!chunk || owner.get(name) === chunk) return;
    for (const defines of chunk.defines) own(owner, defines, chunk);
    chunk.uses.forEach(want);
  };
  want({ file: FILES.at(-1)!, name: root });
  if (!owner.has(root)) throw new Error(`take_away.py has no function ${root}`);
  const wanted = new Set(owner.values());
  const chunks = [...modules.values()].flatMap((module) =>
    module.chunks.filter((chunk) => wanted.has(chunk)),
  );
  return [
    importLines([...imports]).join('\n'),
    ...chunks.map(({ code }) => code),
    `if __name__ == "__main__":\n    ${root}()`,
  ]
    .map((code) => `${code}\n`)
    .join('\n\n');
}

function own(owner: Map<string, Chunk>, name: string, chunk: Chunk): void {
  const other = owner.get(name);
  if (other && other !== chunk)
    throw new Error(
      `a script would define "${name}" twice: of ${other.file}.py and ${chunk.file}.py`,
    );
  owner.set(name, chunk);
}

/** Whole modules first, then names of modules, each in order and once. */
function importLines(imports: Import[]): string[] {
  const whole = imports.flatMap(({ from, what }) => (from === undefined ? [`import ${what}`] : []));
  const modules = [...new Set(imports.flatMap(({ from }) => from ?? []))].toSorted();
  const parts = modules.map((module) => {
    const names = imports.flatMap(({ from, what }) => (from === module ? [what] : []));
    return `from ${module} import ${[...new Set(names)].toSorted().join(', ')}`;
  });
  return [...[...new Set(whole)].toSorted(), ...parts];
}

export function scripts(repo: string): Record<string, string> {
  const path = (file: string): string => join(repo, 'tests', 'parity', `${file}.py`);
  const sources = Object.fromEntries(FILES.map((file) => [file, readFileSync(path(file), 'utf8')]));
  return Object.fromEntries(
    Object.entries(ROOTS).map(([model, root]) => [model, bundle(sources, root)]),
  );
}

export function pytorch(repo: string): Plugin {
  return {
    name: 'attention-lab:pytorch',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      for (const file of FILES) this.addWatchFile(join(repo, 'tests', 'parity', `${file}.py`));
      return `export const scripts = ${JSON.stringify(scripts(repo))};`;
    },
  };
}
