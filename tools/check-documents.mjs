#!/usr/bin/env node
// What CONTRIBUTING.md and the READMEs say of this repository is so: verbs of ./run, suites of ./run test, npm's scripts, and
// files that they name or link to. And the workflow files are YAML with what a workflow needs.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const matches = (text, pattern) => [...text.matchAll(pattern)].map((match) => match[1]);

const VERBS = new Set(matches(read('run'), /^ {2}([a-z]+)(?: \|.*)?\)$/gm));
const SUITES = new Set(matches(read('tools/test.mjs'), /^ {2}([a-z]\w*): \{/gm));
const { scripts } = JSON.parse(read('web/package.json'));
/** Names of this repository's top: a path that begins with one is meant to be there. */
const TOP = new Set(readdirSync(ROOT));
const MADE = /^(\.\.\/)*build(\/|$)/; // by the build

/** Without the fences, whose contents are commands, and with them. */
const spans = (text) => matches(text.replace(/^```[^]*?^```/gm, ''), /`([^`\n]+)`/g);

function* wrongCommands(text) {
  for (const [, verb, rest] of text.matchAll(/\.\/run ([a-z]+)((?: [a-z]\w*)*)/g)) {
    if (!VERBS.has(verb)) yield `./run has no verb "${verb}"`;
    if (verb !== 'test') continue;
    // In prose the command ends with its span; in a block, with its line.
    for (const suite of rest.trim().split(' ').filter(Boolean))
      if (!SUITES.has(suite)) yield `./run test has no suite "${suite}"`;
  }
  for (const script of matches(text, /npm run ([a-z:]+)/g)) if (!scripts[script]) yield `web/package.json has no script "${script}"`;
}

function* wrongPaths(path, text) {
  for (const target of matches(text, /\]\(([^)#\s]+)[^)]*\)/g))
    if (!/^[a-z]+:/.test(target) && !existsSync(join(ROOT, dirname(path), target))) yield `links to ${target}, which is not there`;
  for (const span of spans(text)) {
    if (!/^[\w.][\w./-]*$/.test(span) || MADE.test(span) || /NN|NAME/.test(span)) continue;
    const known = span.includes('/') && (TOP.has(span.split('/')[0]) || existsSync(join(ROOT, dirname(path), span.split('/')[0])));
    const there = [ROOT, join(ROOT, dirname(path))].some((from) => existsSync(join(from, span)));
    if (known && !there) yield `names ${span}, which is not there`;
  }
}

/** Command lines only where they are marked as such: in spans and in indented or fenced blocks. */
const commands = (text) => [...spans(text), ...matches(text, /^(?: {4}|`{3}\n)(.*)$/gm)].join('\n');

function* wrongWorkflow(text) {
  const { parse } = createRequire(join(ROOT, 'web', 'package.json'))('yaml');
  let flow;
  try {
    flow = parse(text);
  } catch (error) {
    yield `is no YAML: ${error.message}`;
    return;
  }
  for (const key of ['name', 'on', 'jobs']) if (!flow?.[key]) yield `has no "${key}"`;
  for (const [name, job] of Object.entries(flow?.jobs ?? {})) {
    if (!job['runs-on']) yield `job ${name} does not say what it runs on`;
    for (const needed of [job.needs ?? []].flat()) if (!flow.jobs[needed]) yield `job ${name} needs "${needed}", which is not there`;
    if (!job.steps?.length) yield `job ${name} has no steps`;
    for (const step of job.steps ?? []) {
      if (!step.uses === !step.run) yield `a step of job ${name} has to have either "uses" or "run"`;
      if (step.uses && !/^[\w.-]+\/[\w./-]+@v?\d/.test(step.uses)) yield `job ${name}: "${step.uses}" names no version`;
      if (step.run) yield* wrongCommands(step.run);
    }
  }
  const deploys = Object.values(flow?.jobs ?? {}).find((job) => job.steps?.some(({ uses }) => uses?.startsWith('actions/deploy-pages@')));
  if (!deploys) return;
  for (const right of ['pages', 'id-token'])
    if ({ ...flow.permissions, ...deploys.permissions }[right] !== 'write') yield `may not write "${right}", and cannot publish`;
  if (!deploys.environment) yield 'publishes into no environment';
}

const git = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
if (git.status !== 0) throw new Error(`git ls-files: ${git.stderr ?? git.error}`);
const paths = git.stdout.split('\0').filter((path) => existsSync(join(ROOT, path)));

let failed = 0;
const tell = (path, problems) => {
  for (const problem of new Set(problems)) {
    console.log(`${path}: ${problem}`);
    failed += 1;
  }
};
for (const path of paths.filter((each) => /(^|\/)(README|CONTRIBUTING)\.md$/.test(each)))
  tell(path, [...wrongCommands(commands(read(path))), ...wrongPaths(path, read(path))]);
for (const path of paths.filter((each) => /^\.github\/workflows\/.*\.ya?ml$/.test(each))) tell(path, wrongWorkflow(read(path)));
if (VERBS.size < 5 || SUITES.size < 5) tell('tools/check-documents.mjs', ['finds neither the verbs nor the suites any more']);
process.exitCode = failed ? 1 : 0;
