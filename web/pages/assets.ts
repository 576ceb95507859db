// `virtual:assets`: the addresses of the core, the trained weights and the corpus.
// They are made outside web/ (CMake, `attn train`), so the build says which command makes a missing one.

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:assets';
const VARIANTS = ['simd', 'relaxed', 'gpu'];

/** The product's files by the name that the page uses. */
export interface AssetFiles {
  wasm: Record<string, { js: string; wasm: string }>;
  weights: Record<string, string>;
  corpus: { train: string; valid: string };
}

export function assetFiles(repo: string, weightNames: string[]): AssetFiles {
  const variant = (name: string) => join(repo, 'build', `wasm-${name}`, 'attn');
  const corpus = (name: string) => join(repo, 'lessons', 'corpus', name);
  return {
    wasm: Object.fromEntries(
      VARIANTS.map((name) => [name, { js: `${variant(name)}.mjs`, wasm: `${variant(name)}.wasm` }]),
    ),
    weights: Object.fromEntries(
      weightNames.map((name) => [name, join(repo, 'build', 'weights', `${name}.safetensors`)]),
    ),
    corpus: { train: corpus('eng-fra.tsv'), valid: corpus('eng-fra.valid.tsv') },
  };
}

const paths = (tree: object): string[] =>
  Object.values(tree).flatMap((entry: unknown) =>
    typeof entry === 'string' ? [entry] : paths(entry as object),
  );

export function missingSentence(repo: string, files: AssetFiles): string | undefined {
  const missing = paths(files).filter((path) => !existsSync(path));
  if (missing.length === 0) return undefined;
  const names = missing.map((path) => relative(repo, path)).join(', ');
  return `the site needs ${names}: run ./run build, which makes them`;
}

/** One import a file, so that Vite hashes it and writes an address relative to the importing script. */
export function moduleSource(files: object): string {
  const imports: string[] = [];
  const address = (path: string): string => {
    if (!existsSync(path)) return JSON.stringify(`/@fs${path}`); // in development: fails when it is fetched
    return `file${imports.push(`import file${imports.length} from ${JSON.stringify(`${path}?url&no-inline`)};`) - 1}`;
  };
  const literal = (tree: object): string =>
    `{${Object.entries(tree)
      .map(([key, entry]: [string, unknown]) => {
        if (typeof entry !== 'string') return `${JSON.stringify(key)}: ${literal(entry as object)}`;
        return `${JSON.stringify(key)}: ${address(entry)}`;
      })
      .join(', ')}}`;
  const exports = Object.entries(files).map(
    ([name, tree]: [string, object]) => `export const ${name} = ${literal(tree)};`,
  );
  return [...imports, ...exports].join('\n');
}

export function assets(repo: string, weightNames: () => string[]): Plugin {
  const files = () => assetFiles(repo, weightNames());
  return {
    name: 'attention-lab:assets',
    config: (_, { command, isPreview }) => {
      const missing = missingSentence(repo, files());
      if (command === 'build' && missing !== undefined) throw new Error(missing);
      if (command === 'serve' && !isPreview && missing !== undefined) console.warn(missing);
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? moduleSource(files()) : undefined),
  };
}
