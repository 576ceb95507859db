#!/usr/bin/env node
// Runs the suites and closes with one line, "N passed, N failed", over all of them.
//   node tools/test.mjs [SUITE…]      (default: all; the table below)
// A suite that dies, hangs, or runs no test counts as one failure, and the others still run.
// Output goes to build/test/SUITE.log; what failed is shown.

import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks } from './checks.mjs';
import { figuresIn, said } from './figures.mjs';
import { doctest, playwright, tap, vitest } from './test-counts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOGS = join(ROOT, 'build', 'test');
const LIMIT_MS = 45 * 60e3; // of one step: a hung one ends, a slow machine does not
const SHOWN_LINES = 60;

const CORES = 2; // what runs at a time: suites of one, or one of two

// Not a chain of &&, inside which `set -e` would not hold.
const build = (what) => `set -euo pipefail; . tools/setup.sh; . tools/build.sh; ${what}`;
const report = (name) => join(LOGS, `${name}.json`);

// What a suite `needs` is built before any suite runs, each thing once. `line` is a shell line, run in the repository; `counts` reads
// what it said. The longest suites of one core come first.
const SUITES = {
  webkit: {
    what: 'a journey through the lessons in WebKitGTK',
    needs: ['build_page'],
    line: 'xvfb-run -a node --test --test-reporter=tap tests/browsers/*webkit.test.mjs',
    counts: tap,
  },
  firefox: {
    what: 'a journey through the lessons in Firefox',
    needs: ['build_page', 'build_gpu_tests'],
    line: 'node --test --test-reporter=tap tests/browsers/*firefox.test.mjs',
    counts: tap,
  },
  check: { what: 'format, lint, types, layers, lessons', each: checks },
  lighthouse: {
    what: 'what Lighthouse demands of every kind of page',
    needs: ['build_page'],
    line: 'node --test --test-reporter=tap tests/browsers/lighthouse.test.mjs',
    counts: tap,
  },
  unit: {
    what: "the page's units",
    needs: ['build_engine'],
    line: `npm run --prefix web test:unit -- --reporter=default --reporter=json --outputFile.json=${report('unit')}`,
    counts: () => vitest(readFileSync(report('unit'), 'utf8')),
  },
  wasm: {
    what: 'the C++ core as WebAssembly in Node',
    needs: ['build_wasm_tests'],
    line: 'node build/wasm-simd/attn_tests.cjs',
    counts: doctest,
  },
  native: {
    what: 'the C++ core on this machine',
    needs: ['build_native'],
    line: 'build/bin/attn_tests',
    counts: doctest,
  },
  tools: {
    what: 'the tools',
    line: 'node --test --test-reporter=tap tools/test/*.test.mjs',
    counts: tap,
  },
  command: {
    what: 'the command attn',
    needs: ['build_native'],
    line: 'node --test --test-reporter=tap tests/cli/*.test.mjs',
    counts: tap,
  },
  e2e: {
    what: 'the lessons in Chromium',
    cores: 2,
    needs: ['build_page', 'build_gpu_tests'],
    line: 'npm run --prefix web test:e2e -- --reporter=list,json',
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('e2e') },
    counts: () => playwright(readFileSync(report('e2e'), 'utf8')),
  },
};

/** The newest line of a long step, on one line of a terminal, or now and then in a log. */
class Progress {
  shown = Date.now();

  show(name, chunk) {
    const line = chunk.trimEnd().split(/[\r\n]/).at(-1).replace(/\x1b\[[\d;]*[A-Za-z]/g, '').trim();
    const tty = process.stderr.isTTY;
    if (!line || Date.now() - this.shown < (tty ? 100 : 15e3)) return;
    this.shown = Date.now();
    process.stderr.write(tty ? `\r\x1b[K    ${name}: ${line}`.slice(0, (process.stderr.columns ?? 80) + 3) : `    ${name}: ${line.slice(0, 150)}\n`);
  }

  clear() {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

const groups = new Set();

function end(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // It is gone already.
  }
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const group of groups) end(group, 'SIGINT');
    process.exit(130);
  });

/** Runs one shell line in a process group of its own, so that a hung one ends with its children. */
function shell(line, { name, log, env, progress }) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', line], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const timer = setTimeout(() => end(child.pid, 'SIGKILL'), LIMIT_MS);
    groups.add(child.pid);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        log.write(chunk);
        progress.show(name, chunk);
      });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      groups.delete(child.pid);
      resolve({ output, ok: code === 0, how: signal ? `ended by ${signal}` : `exit code ${code}` });
    });
  });
}

const tail = (text) => text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');

/** Everything that these suites need; what could not be built, and what it said. */
async function buildAll(names, progress) {
  const failed = new Map();
  const log = createWriteStream(join(LOGS, 'build.log'));
  for (const what of new Set(names.flatMap((name) => SUITES[name].needs ?? []))) {
    const { ok, output } = await shell(build(what), { name: what, log, progress });
    if (!ok) failed.set(what, output);
  }
  log.end();
  progress.clear();
  return failed;
}

/** A suite that is one command. */
async function runLine({ line, counts, env }, context) {
  const result = await shell(line, { ...context, env });
  let counted;
  try {
    counted = counts(result.output);
  } catch (error) {
    counted = { passed: 0, failed: 0, why: error.message };
  }
  const { passed } = counted;
  let { failed } = counted;
  const why = counted.why ?? (passed + failed === 0 ? 'no test ran' : '');
  if (failed === 0 && (!result.ok || why)) failed = 1;
  const shown = failed ? `${tail(result.output)}\n(${[why, result.how].filter(Boolean).join('; ')})` : '';
  return { passed, failed, output: result.output, shown };
}

/** A suite of checks: each command is one test. */
async function runEach(list, context) {
  const total = { passed: 0, failed: 0, shown: '' };
  for (const { name, line } of list) {
    context.log.write(`--- ${name}: ${line}\n`);
    const { ok, output } = await shell(line, context);
    total[ok ? 'passed' : 'failed'] += 1;
    if (!ok) total.shown += `--- ${name}\n${tail(output)}\n`;
  }
  return total;
}

async function run(name, missing, progress) {
  const suite = SUITES[name];
  rmSync(report(name), { force: true });
  const lacks = (suite.needs ?? []).find((what) => missing.has(what));
  if (lacks) return { passed: 0, failed: 1, shown: `${tail(missing.get(lacks))}\n(${lacks} failed: build/test/build.log)` };
  const context = { name, log: createWriteStream(join(LOGS, `${name}.log`)), progress };
  const result = suite.each ? await runEach(suite.each(ROOT), context) : await runLine(suite, context);
  context.log.end();
  if (result.shown) result.shown += `\n(all of it: build/test/${name}.log)`;
  return result;
}

async function told(name, missing, progress) {
  const start = Date.now();
  const result = await run(name, missing, progress);
  progress.clear();
  console.error(`==> ${name}: ${SUITES[name].what}`);
  if (result.shown) console.error(result.shown);
  console.error(`    ${result.passed} passed, ${result.failed} failed, ${Math.round((Date.now() - start) / 1000)} s`);
  return result;
}

/** Calls `work` for each name in their order, as many at a time as there are cores for them. */
async function inTurn(names, work) {
  const results = [];
  const running = new Map();
  for (const name of names) {
    const cores = SUITES[name].cores ?? 1;
    while ([...running.keys()].reduce((sum, each) => sum + (SUITES[each].cores ?? 1), cores) > CORES) await Promise.race(running.values());
    running.set(
      name,
      work(name).then((result) => (running.delete(name), results.push(result))),
    );
  }
  await Promise.all(running.values());
  return results;
}

const wanted = process.argv.slice(2);
const stranger = wanted.find((name) => !(name in SUITES));
if (stranger) {
  console.error(`There is no suite "${stranger}": ${Object.keys(SUITES).join(', ')}.`);
  process.exit(1);
}
mkdirSync(LOGS, { recursive: true });
const names = Object.keys(SUITES).filter((name) => wanted.length === 0 || wanted.includes(name));
const progress = new Progress();
const missing = await buildAll(names, progress);
const results = await inTurn(names, (name) => told(name, missing, progress));
const figures = said(figuresIn(results.map(({ output = '' }) => output).join('\n')));
const [passed, failed] = ['passed', 'failed'].map((what) => results.reduce((sum, result) => sum + result[what], 0));
if (figures.length > 0) console.log(`\n${figures.join('\n')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
