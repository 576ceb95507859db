#!/usr/bin/env node
// Measures this core beside its peers in headless Chromium, in turn in one run, and writes a table and build/bench.json.
//   node tests/bench/run.mjs [ROW…] [--rounds N] [--pairs FILE] [--examples N]
// ROW is the beginning of a row's name: "matmul", "train.bahdanau". Without one, all are measured.
// rows/*.mjs measure; each exports `rows` (names) and `measure(context)`. The method: README.md.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startBrowser } from './browser.mjs';
import { table } from './table.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = join(ROOT, 'tests', 'bench');

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    pairs: { type: 'string', default: join(ROOT, 'lessons', 'corpus', 'eng-fra.tsv') },
    examples: { type: 'string', default: '600' },
  },
});

const chosen = (name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start));
const groups = await Promise.all(
  readdirSync(join(HERE, 'rows'))
    .sort()
    .map((file) => import(`./rows/${file}`)),
);
const known = groups.flatMap((group) => group.rows);
for (const start of wanted)
  if (!known.some((name) => name.startsWith(start))) {
    console.error(`There is no row "${start}": ${known.join(', ')}.`);
    process.exit(1);
  }

const context = {
  root: ROOT,
  rounds: Number(options.rounds),
  pairs: options.pairs,
  examples: Number(options.examples),
  chosen,
  say: (text) => console.error(`    ${text}`),
};

const start = Date.now();
const browser = await startBrowser(ROOT);
const results = [];
try {
  for (const group of groups)
    if (group.rows.some(chosen)) results.push(...(await group.measure({ ...context, browser })));
} finally {
  await browser.close();
}

mkdirSync(join(ROOT, 'build'), { recursive: true });
writeFileSync(join(ROOT, 'build', 'bench.json'), `${JSON.stringify(results, null, 2)}\n`);
console.log(table(results));
console.log(`Chromium ${browser.version}, one thread, ${Math.round((Date.now() - start) / 1000)} s; also in build/bench.json`);
