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

const typeset = (tex: string): string =>
  katex.renderToString(tex, {
    ...KATEX,
    macros: { ...KATEX.macros, '\\cur': '\\htmlClass{cur}{#1}' },
    displayMode: true,
  });

export function formulas(web: string): Plugin {
  return {
    name: 'attention-lab:formulas',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const file = join(web, SOURCE);
      this.addWatchFile(file);
      const { module } = await runnerImport<Steps>(file, { configFile: false, logLevel: 'error' });
      const html = Object.entries(module.FORMULAS).map(([key, tex]) => [key, typeset(tex)]);
      return `export const html = ${JSON.stringify(Object.fromEntries(html))};`;
    },
  };
}
