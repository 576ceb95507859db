// What a lesson's first blocks need is named in its head, so that the browser fetches it all at once instead of finding one file
// in another: the words, the kinds of block with what they import, the trained weights.

import type { OutputAsset, OutputBundle, OutputChunk } from 'rolldown';
import type { Plugin } from 'vite';
import type { LessonPage } from '../src/shared/lesson.ts';

const AT_ONCE = 3; // blocks: the first screen, and what one scrolls to next

type Chunk = OutputChunk & { viteMetadata?: { importedCss: Set<string> } };
type Page = Pick<LessonPage, 'lang' | 'sessions' | 'blocks'>;

const isChunk = (file: OutputBundle[string]): file is Chunk => file.type === 'chunk';
const isAsset = (file: OutputBundle[string]): file is OutputAsset => file.type === 'asset';

/** A chunk and all that it imports. */
function withImports(bundle: OutputBundle, chunk: Chunk, seen: Set<Chunk>): void {
  if (seen.has(chunk)) return;
  seen.add(chunk);
  for (const name of chunk.imports) {
    const file = bundle[name];
    if (file && isChunk(file)) withImports(bundle, file, seen);
  }
}

interface Needs {
  scripts: string[];
  styles: string[];
  files: string[];
}

export function needs(bundle: OutputBundle, page: Page, blocks: string[]): Needs {
  const first = blocks.slice(0, AT_ONCE).flatMap((id) => page.blocks[id] ?? []);
  const entries = [`/words/${page.lang}.json`, ...first.map(({ kind }) => `/${kind}/View.svelte`)];
  const chunks = new Set<Chunk>();
  for (const file of Object.values(bundle))
    if (isChunk(file) && entries.some((entry) => file.facadeModuleId?.endsWith(entry)))
      withImports(bundle, file, chunks);
  const weights = first.map(({ session }) => page.sessions[String(session)]?.weights);
  const files = Object.values(bundle).filter(
    (file) =>
      isAsset(file) &&
      weights.some((name) =>
        file.originalFileNames.some((from) => from.endsWith(`/weights/${name}.safetensors`)),
      ),
  );
  return {
    scripts: [...chunks].map(({ fileName }) => fileName),
    styles: [...new Set([...chunks].flatMap((c) => [...(c.viteMetadata?.importedCss ?? [])]))],
    files: files.map(({ fileName }) => fileName),
  };
}

const LESSON = /<script type="application\/json" id="lesson">(.*?)<\/script>/s;

function links(html: string, bundle: OutputBundle, up: string): string[] {
  const data = LESSON.exec(html)?.[1];
  if (data === undefined) return [];
  const blocks = [...html.matchAll(/ data-block="([^"]*)"/g)].map((match) => match[1]!);
  const { scripts, styles, files } = needs(bundle, JSON.parse(data) as Page, blocks);
  // What the page loads anyway is not named twice.
  const link = (kind: string, among: string[]): string[] =>
    among
      .map((file) => `"${up}${file}"`)
      .filter((address) => !html.includes(address))
      .map((address) => `<link rel=${kind} crossorigin href=${address}>`);
  return [
    ...link('"modulepreload"', scripts),
    ...link('"stylesheet"', styles),
    ...link('"preload" as="fetch"', files),
  ];
}

export function preloads(): Plugin {
  return {
    name: 'attention-lab:preloads',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        if (!bundle) return html;
        const up = '../'.repeat(path.split('/').length - 2);
        return html.replace('</head>', () => `${links(html, bundle, up).join('')}</head>`);
      },
    },
  };
}
