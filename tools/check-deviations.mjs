#!/usr/bin/env node
// Checks that the page of deviations (lessons/deviations.json) tells of every fault that src/README.md numbers, and of every switch
// `book_*` that the engine's catalogue has, and of none that it has not. What lessons it names is checked with them.
// Usage: node tools/check-deviations.mjs    (asks build/bin/attn)

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = JSON.parse(readFileSync(`${root}lessons/deviations.json`, 'utf8')).flatMap((group) => group.entries);

const told = new Set(entries.flatMap(({ faults }) => faults));
const table = readFileSync(`${root}src/README.md`, 'utf8').matchAll(/^\| (B\d+(?:, B\d+)*) \|/gm);
const numbered = new Set([...table].flatMap(([, names]) => names.split(', ')));

const switches = new Set(entries.flatMap((entry) => entry.switch ?? []));
const { stdout, error } = spawnSync(`${root}build/bin/attn`, ['describe'], { encoding: 'utf8', maxBuffer: 1 << 26 });
if (error) throw error;
const { models } = JSON.parse(stdout);
const fields = new Set(models.flatMap((model) => model.fields.map(({ name }) => name)));

const problems = [
  ...[...numbered].filter((fault) => !told.has(fault)).map((fault) => `${fault} of src/README.md is in no entry`),
  ...[...told].filter((fault) => !numbered.has(fault)).map((fault) => `${fault} is not in the table of src/README.md`),
  ...[...fields]
    .filter((name) => name.startsWith('book_') && !switches.has(name))
    .map((name) => `the switch ${name} is in no entry`),
  ...[...switches].filter((name) => !fields.has(name)).map((name) => `no model has a field ${name}`),
];
if (numbered.size === 0) problems.push('src/README.md has no table of faults');
for (const problem of problems) console.error(`lessons/deviations.json: ${problem}`);
if (problems.length === 0) console.log(`deviations: ${entries.length}, of them ${told.size} faults, ${switches.size} switches: in order`);
process.exitCode = problems.length === 0 ? 0 : 1;
