// licences.txt of the built site: our own, and those of everything that is shipped with it. The packages are those whose files
// reach a script, a style sheet or a font; what the core was compiled with is listed here by hand.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { namesIn } from './folder.ts';

interface Part {
  name: string;
  licence: string;
  text: string;
}

const RULE = `\n${'='.repeat(80)}\n\n`;

/** Headers and the C and C++ libraries in attn.wasm, and Emscripten's part of attn.mjs. */
const CORE: { name: string; licence: 'BSD-3-Clause' | 'MIT'; holders: string[] }[] = [
  {
    name: 'xtensor',
    licence: 'BSD-3-Clause',
    holders: ['2016, Johan Mabille, Sylvain Corlay and Wolf Vollprecht', '2016, QuantStack'],
  },
  {
    name: 'xtl',
    licence: 'BSD-3-Clause',
    holders: ['Sylvain Corlay, Johan Mabille and Wolf Vollprecht', 'QuantStack'],
  },
  {
    name: 'xsimd',
    licence: 'BSD-3-Clause',
    holders: ['Johan Mabille, Sylvain Corlay, Wolf Vollprecht and Martin Renou', 'QuantStack'],
  },
  { name: 'nlohmann/json', licence: 'MIT', holders: ['Niels Lohmann'] },
  { name: 'Emscripten', licence: 'MIT', holders: ['2010-2014 Emscripten authors'] },
  { name: 'musl libc (in Emscripten)', licence: 'MIT', holders: ['2005-2020 Rich Felker, et al.'] },
];
const LLVM = `libc++, libc++abi and compiler-rt (in Emscripten) are parts of the LLVM Project, under the Apache License 2.0 with
LLVM Exceptions, by which parts of them may be embedded in object form without its sections 4(a), 4(b) and 4(d).
dlmalloc (in Emscripten) was released to the public domain.`;

const packageOf = (id: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/?]+)/.exec(id)?.[1];

function ofPackage(web: string, name: string): Part {
  const folder = join(web, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    license?: string;
  };
  const file = namesIn(folder).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each));
  if (license === undefined) throw new Error(`the package ${name} does not name its licence`);
  const whole = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  const [text = ''] = whole.split(/^# Licenses of bundled dependencies$/m); // of a tool's own: not shipped
  return { name: `${name} ${version}`, licence: license, text: text.trim() };
}

function ofCore(texts: (name: string) => string): Part[] {
  return CORE.map(({ name, licence, holders }) => {
    const notices = holders.map((holder) => `Copyright (c) ${holder}`).join('\n');
    return { name, licence, text: `${notices}\n\n${texts(licence)}` };
  });
}

export function licenceText(repo: string, packages: string[]): string {
  const web = join(repo, 'web');
  const read = (path: string): string => readFileSync(join(repo, path), 'utf8').trim();
  const parts = [
    ...ofCore((name) => read(`web/pages/licences/${name}.txt`)),
    ...packages.map((name) => ofPackage(web, name)),
  ];
  return [
    `Attention Lab: its code is under the MIT licence, its lessons under CC BY 4.0, its corpus under CC0.\n\n${read('LICENSE')}`,
    `Lessons\n\n${read('lessons/LICENSE')}`,
    `Corpus\n\n${read('lessons/corpus/LICENSE')}`,
    ...parts.map(({ name, licence, text }) => `${name} (${licence})\n\n${text}`.trim()),
    `${LLVM}\n`,
  ].join(RULE);
}

export function licences(repo: string): Plugin {
  return {
    name: 'attention-lab:licences',
    apply: 'build',
    generateBundle() {
      const found = [...this.getModuleIds()].flatMap((id) => packageOf(id) ?? []);
      // The helpers that Vite itself leaves in the scripts, too.
      const packages = [...new Set([...found, 'vite'])].sort();
      this.emitFile({
        type: 'asset',
        fileName: 'licences.txt',
        source: licenceText(repo, packages),
      });
    },
  };
}
