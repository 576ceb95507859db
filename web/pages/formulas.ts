// `virtual:formulas`: the formulas of the stage (src/page/blocks/stage/steps.ts), set while the site is
// built, so that no visitor downloads KaTeX's program.

import katex from 'katex';
import { join } from 'node:path';
import { runnerImport, type Plugin } from 'vite';
import { KATEX } from './markdown.ts';

const NAME = 'virtual:formulas';
const SOURCE = 'src/page/blocks/stage/steps.ts';

interface Steps {
  FORMULAS: Record<string, string>;
}

/** Signs of the stage alone: the term at hand, a size that is known once there is a run, a gradient. */
const SIGNS = {
  '\\cur': '\\htmlClass{cur}{#1}',
  '\\dim': '\\htmlData{size=#1}{#2}',
  '\\grad': '\\frac{\\partial L}{\\partial #1}',
};

const typeset = (tex: string): string =>
  katex.renderToString(tex, {
    ...KATEX,
    macros: { ...KATEX.macros, ...SIGNS },
    trust: ({ command }) => command === '\\htmlClass' || command === '\\htmlData',
    displayMode: true,
  });

/** Steps of one formula share it; the TeX itself, which KaTeX leaves in, is of no use on the page. */
export function moduleSource(formulas: Record<string, string>): string {
  const all = [...new Set(Object.values(formulas))];
  const html = all.map((tex) => typeset(tex).replace(/<annotation.*?<\/annotation>/, ''));
  const keys = Object.entries(formulas).map(([key, tex]) => [key, all.indexOf(tex)] as const);
  return [
    `const all = ${JSON.stringify(html)};`,
    `const of = ${JSON.stringify(Object.fromEntries(keys))};`,
    'export const html = Object.fromEntries(Object.entries(of).map(([key, i]) => [key, all[i]]));',
  ].join('\n');
}

export function formulas(web: string): Plugin {
  return {
    name: 'attention-lab:formulas',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const file = join(web, SOURCE);
      this.addWatchFile(file);
      const { module } = await runnerImport<Steps>(file, { configFile: false, logLevel: 'error' });
      return moduleSource(module.FORMULAS);
    },
  };
}
