import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { assets } from './pages/assets.ts';
import { buildId } from './pages/build-id.ts';
import { compressed } from './pages/compress.ts';
import { formulas } from './pages/formulas.ts';
import { licences } from './pages/licences.ts';
import { offline } from './pages/offline.ts';
import { lessonPages } from './pages/plugin.ts';
import { preloads } from './pages/preload.ts';
import { proof } from './pages/proof-page.ts';
import { pytorch } from './pages/pytorch.ts';
import { weightsInLessons } from './pages/read.ts';
import { sourceLines } from './pages/source-lines.ts';

const web = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');
const repo = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** KaTeX offers each font in three formats; every browser that runs the core reads the first. */
const onlyWoff2: Plugin = {
  name: 'attention-lab:only-woff2',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('katex') && id.includes('.css')
      ? code.replace(
          /,url\([^)]*\.woff\) format\("woff"\),url\([^)]*\.ttf\) format\("truetype"\)/g,
          '',
        )
      : undefined,
};

/** Parts, stores and schemas of blocks; not the program behind the plots, which few lessons need. */
const isShared = (id: string): boolean =>
  /\/src\/(page\/(parts|store)|shared)\/|\/blocks\/\w+\/(schema|place|edits)\.ts|\/node_modules\/(svelte|comlink)\//.test(
    id,
  ) && !/\/(plotting|CurveTable)/.test(id);

const fromOutside = () => assets(repo, () => weightsInLessons(`${repo}/lessons`));

export default defineConfig({
  root: web,
  define: { BUILD: JSON.stringify(buildId(repo)) },
  base: './', // the site works from any folder of any static host
  plugins: [
    svelte(),
    lessonPages({ repo, web }),
    fromOutside(),
    formulas(web),
    sourceLines(web),
    pytorch(repo),
    proof(repo),
    onlyWoff2,
    preloads(),
    licences(repo),
    offline(web),
    compressed(),
  ],
  worker: { format: 'es', plugins: () => [fromOutside()] },
  build: {
    outDir: `${repo}/build/site`,
    emptyOutDir: true,
    assetsInlineLimit: 0, // the policy allows no data: but for images
    rolldownOptions: {
      output: {
        // What most blocks share comes as one file: dozens of small ones wait for each other on a plain host.
        codeSplitting: { groups: [{ name: 'page', test: isShared }] },
        // Some hosts do not know .mjs as a script.
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.mjs') ? 'assets/[name]-[hash].js' : 'assets/[name]-[hash][extname]',
      },
    },
  },
  server: { fs: { allow: [repo] } },
  test: { include: ['pages/**/*.test.ts', 'src/**/*.test.ts', '../tests/web/**/*.test.ts'] },
});
