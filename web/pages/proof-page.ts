// The page that compares the visitor's own engine with what PyTorch computed; and the goldens it needs, as
// `virtual:proof`, which only this page loads.

import { h } from 'hastscript';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import type { Lang } from '../src/shared/lesson.ts';
import { moduleSource } from './assets.ts';
import { namesIn } from './folder.ts';
import { dataScript, other, page, type Surroundings } from './frame.ts';
import { speaker } from './words.ts';

const NAME = 'virtual:proof';

export const proofPath = (lang: Lang): string => `${lang}/proof/`;

export function proofPage(lang: Lang, around: Surroundings): string {
  const say = speaker(lang);
  const about = ['goldens', 'units', 'seen'].map((part) => h('p', say(`proof.about.${part}`)));
  const main = h('main', { id: 'main', tabIndex: -1 }, [
    h('header.lesson-head', [
      h('p.kicker', say('proof.title')),
      h('h1', say('proof.question')),
      h('p.lesson-summary', say('proof.lead')),
    ]),
    h('div#proof', { ariaBusy: 'true' }, [
      h('p', say('shell.waiting')),
      h('noscript', say('shell.noscript')),
    ]),
    h('section.proof-about', { ariaLabelledBy: 'proof-about' }, [
      h('h2#proof-about', say('proof.about')),
      ...about,
    ]),
  ]);
  const lesson = { id: 'proof', slug: 'proof', lang, title: say('proof.title') };
  return page(
    {
      ...{ path: proofPath(lang), lang, say, styles: [], bodyClass: 'proof-page' },
      title: `${say('proof.title')} · ${say('shell.name')}`,
      description: say('proof.lead'),
      scripts: ['/src/page/proof/main.ts'],
      body: [main, dataScript('lesson', lesson)],
      twin: proofPath(other(lang)),
    },
    around,
  );
}

/** Files of a folder of goldens by their names: `bahdanau_training.json` is `bahdanau` of `_training.json`. */
function byName(folder: string, end: string): Record<string, string> {
  const names = namesIn(folder).filter((name) => name.endsWith(end));
  return Object.fromEntries(
    names.map((name) => [basename(name, end).replace('_', '-'), join(folder, name)]),
  );
}

export function proofFiles(repo: string): Record<string, Record<string, string>> {
  const goldens = join(repo, 'tests/parity/goldens');
  const regression = { 'kernel-regression': join(goldens, 'models/kernel_regression.json') };
  return {
    files: byName(join(goldens, 'files'), '.safetensors'),
    configs: { plain: join(goldens, 'files/plain.json') },
    steps: byName(join(goldens, 'steps'), '.json'),
    training: { ...byName(join(goldens, 'models'), '_training.json'), ...regression },
  };
}

export function proof(repo: string): Plugin {
  return {
    name: 'attention-lab:proof',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? moduleSource(proofFiles(repo)) : undefined),
  };
}
