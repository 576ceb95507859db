// What makes the built site work without a network: the service worker with the list of what belongs to this build, and the
// manifest by which a browser offers to install the site.

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { filesIn } from './folder.ts';
import { speaker } from './words.ts';

const ENGINE = /wasm-(\w+)\/attn\.(?:mjs|wasm)$/;
const GOLDEN = /tests\/parity\/goldens\//;

type File = [path: string, integrity: string];

interface Origins {
  engines: Map<string, string[]>; // by the path in the site: the variants that need it; equal files are one
  later: Set<string>;
}

function origins(bundle: Rolldown.OutputBundle): Origins {
  const found: Origins = { engines: new Map(), later: new Set() };
  for (const file of Object.values(bundle)) {
    if (file.type !== 'asset') continue;
    const variants = file.originalFileNames.flatMap((from) => ENGINE.exec(from)?.[1] ?? []);
    if (variants.length > 0) found.engines.set(file.fileName, variants);
    if (file.originalFileNames.some((from) => GOLDEN.test(from))) found.later.add(file.fileName);
  }
  return found;
}

/** The address that visitors use: a folder, not the file in it. */
const address = (path: string): string => path.replace(/(^|\/)index\.html$/, '$1');

async function digests(folder: string): Promise<File[]> {
  const paths = filesIn(folder).filter((path) => !/\.(?:br|gz)$|^sw\.js$/.test(path));
  return Promise.all(
    paths.map(async (path): Promise<File> => {
      const digest = createHash('sha256').update(await readFile(join(folder, path)));
      return [address(path), `sha256-${digest.digest('base64')}`];
    }),
  );
}

/** The list that the service worker carries: what every visitor keeps, and what only some need. */
export function siteFiles(all: File[], { engines, later }: Origins) {
  const build = createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 12);
  const byVariant: Record<string, File[]> = {};
  for (const file of all)
    for (const variant of engines.get(file[0]) ?? []) (byVariant[variant] ??= []).push(file);
  return {
    build,
    files: all.filter(([path]) => !engines.has(path) && !later.has(path)),
    engines: byVariant,
    later: [...later].sort(),
  };
}

/** One plain script: a worker of modules would be several files, each to be kept in step. */
async function writeWorker(web: string, folder: string, files: object): Promise<void> {
  await build({
    configFile: false,
    root: web,
    logLevel: 'warn',
    define: { SITE_FILES: JSON.stringify(files) },
    build: {
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: join(web, 'src/offline/worker.ts'),
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  });
}

function manifest(): string {
  const say = speaker('en');
  const zh = speaker('zh');
  return JSON.stringify({
    name: `${say('shell.name')} · ${zh('shell.name')}`,
    short_name: say('shell.name'),
    description: say('index.lead'),
    start_url: './',
    scope: './',
    display: 'minimal-ui',
    background_color: '#fbfaf7',
    theme_color: '#fbfaf7',
    icons: [
      { src: 'favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: 'icon-maskable.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
    ],
  });
}

export function offline(web: string): Plugin {
  let folder = '';
  let from: Origins = { engines: new Map(), later: new Set() };
  return {
    name: 'attention-lab:offline',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: manifest() });
    },
    writeBundle: (_, bundle) => {
      from = origins(bundle);
    },
    async closeBundle() {
      await writeFile(join(folder, 'sw.js'), ''); // so that a build that breaks off leaves no old list
      await writeWorker(web, folder, siteFiles(await digests(folder), from));
    },
  };
}
