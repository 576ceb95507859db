#!/usr/bin/env node
// Checks every lesson: both languages, block kinds and their options, sessions, states, glossary, words;
// and the lines of code that the stage shows. What must hold is written in web/pages/check.ts and
// web/pages/source-lines.ts, which the build uses too.
// Usage: node tools/check-lessons.mjs    (after `npm ci` in web/)

import { fileURLToPath } from 'node:url';

const repo = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const web = `${repo}/web`;

const { runnerImport } = await import(`${web}/node_modules/vite/dist/node/index.js`);
const load = async (path) =>
  (
    await runnerImport(`${web}/pages/${path}`, {
      root: web,
      configFile: false,
      logLevel: 'error',
    })
  ).module;

const { readKinds } = await load('kinds.ts');
const { readSite } = await load('site.ts');

const { codeProblems } = await load('source-lines.ts');
const { coverageProblems } = await load('coverage.ts');

const kinds = await readKinds(web);
const { lessons, glossary, problems: wrong } = await readSite(repo, kinds);
const slugs = lessons.map(({ slug }) => slug);
const problems = [...wrong, ...(await codeProblems(repo)), ...coverageProblems(repo, slugs)];
for (const problem of problems) console.error(problem);
const blocks = lessons.flatMap(({ lesson }) => Object.keys(lesson.blocks)).length;
if (problems.length === 0)
  console.log(`lessons: ${lessons.length} in 2 languages, ${blocks} blocks, ${glossary.size} terms: in order`);
process.exitCode = problems.length === 0 ? 0 : 1;
