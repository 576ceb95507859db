#!/usr/bin/env node
// Runs the suites and closes with one line, "N passed, N failed", over all of them.
//   node tools/test.mjs [SUITE…]      (default: all, in the order of the table below)
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

// Not a chain of &&, inside which `set -e` would not hold.
const build = (what) => `set -euo pipefail; . tools/setup.sh; . tools/build.sh; ${what}`;
const report = (name) => join(LOGS, `${name}.json`);

// Each step is a shell line, run in the repository; `counts` reads the last one's result.
const SUITES = {
  native: {
    what: 'the C++ core on this machine',
    steps: [build('build_native'), 'build/bin/attn_tests'],
    counts: ({ output }) => doctest(output),
  },
  command: {
    what: 'the command attn',
    steps: ['node --test --test-reporter=tap tests/cli/*.test.mjs'],
    counts: ({ output }) => tap(output),
  },
  check: { what: 'format, lint, types, layers, lessons', each: checks },
  tools: {
    what: 'the tools',
    steps: ['node --test --test-reporter=tap tools/test/*.test.mjs'],
    counts: ({ output }) => tap(output),
  },
  wasm: {
    what: 'the C++ core as WebAssembly in Node',
    steps: [build('build_wasm_tests'), 'node build/wasm-simd/attn_tests.cjs'],
    counts: ({ output }) => doctest(output),
  },
  unit: {
    what: "the page's units",
    steps: [build('build_engine'), `npm run --prefix web test:unit -- --reporter=default --reporter=json --outputFile.json=${report('unit')}`],
    counts: () => vitest(readFileSync(report('unit'), 'utf8')),
  },
  e2e: {
    what: 'the lessons in Chromium',
    steps: [build('build_page; build_gpu_tests'), 'npm run --prefix web test:e2e -- --reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('e2e') },
    counts: () => playwright(readFileSync(report('e2e'), 'utf8')),
  },
  firefox: {
    what: 'a journey through the lessons in Firefox',
    steps: [build('build_page; build_gpu_tests'), 'node --test --test-reporter=tap tests/browsers/*firefox.test.mjs'],
    counts: ({ output }) => tap(output),
  },
  webkit: {
    what: 'a journey through the lessons in WebKitGTK',
    steps: [build('build_page'), 'xvfb-run -a node --test --test-reporter=tap tests/browsers/*webkit.test.mjs'],
    counts: ({ output }) => tap(output),
  },
};

/** The newest line of a long step, on one line of a terminal, or now and then in a log. */
class Progress {
  shown = Date.now();

  show(chunk) {
    const line = chunk.trimEnd().split(/[\r\n]/).at(-1).replace(/\x1b\[[\d;]*[A-Za-z]/g, '').trim();
    const tty = process.stderr.isTTY;
    if (!line || Date.now() - this.shown < (tty ? 100 : 15e3)) return;
    this.shown = Date.now();
    process.stderr.write(tty ? `\r\x1b[K    ${line.slice(0, (process.stderr.columns ?? 80) - 5)}` : `    ${line.slice(0, 150)}\n`);
  }

  clear() {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

/** Runs one shell line in a process group of its own, so that a hung one ends with its children. */
function shell(line, { log, env, progress }) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', line], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const timer = setTimeout(() => end('SIGKILL'), LIMIT_MS);
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It is gone already.
      }
    };
    const interrupted = () => (end('SIGINT'), process.exit(130));
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        log.write(chunk);
        progress.show(chunk);
      });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      resolve({ output, ok: code === 0, how: signal ? `ended by ${signal}` : `exit code ${code}` });
    });
  });
}

const tail = (text) => text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');

/** A suite of steps: the first that fails ends it. */
async function runSteps({ steps, counts, env }, context) {
  let result;
  let output = '';
  for (const step of steps) {
    result = await shell(step, { ...context, env });
    output += result.output;
    if (!result.ok) break;
  }
  let counted;
  try {
    counted = counts(result);
  } catch (error) {
    counted = { passed: 0, failed: 0, why: error.message };
  }
  const { passed } = counted;
  let { failed } = counted;
  const why = counted.why ?? (passed + failed === 0 ? 'no test ran' : '');
  if (failed === 0 && (!result.ok || why)) failed = 1;
  return { passed, failed, figures: figuresIn(output), shown: failed ? `${tail(result.output)}\n(${[why, result.how].filter(Boolean).join('; ')})` : '' };
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

async function run(name) {
  const suite = SUITES[name];
  rmSync(report(name), { force: true });
  const progress = new Progress();
  const context = { log: createWriteStream(join(LOGS, `${name}.log`)), progress };
  const start = Date.now();
  console.error(`==> ${name}: ${suite.what}`);
  const result = suite.each ? await runEach(suite.each(ROOT), context) : await runSteps(suite, context);
  context.log.end();
  progress.clear();
  if (result.shown) console.error(`${result.shown}\n(all of it: build/test/${name}.log)`);
  console.error(`    ${result.passed} passed, ${result.failed} failed, ${Math.round((Date.now() - start) / 1000)} s`);
  return result;
}

const wanted = process.argv.slice(2);
const stranger = wanted.find((name) => !(name in SUITES));
if (stranger) {
  console.error(`There is no suite "${stranger}": ${Object.keys(SUITES).join(', ')}.`);
  process.exit(1);
}
mkdirSync(LOGS, { recursive: true });
const sum = { passed: 0, failed: 0 };
const figures = [];
for (const name of wanted.length ? wanted : Object.keys(SUITES)) {
  const { passed, failed, figures: counted = [] } = await run(name);
  figures.push(...said(counted));
  sum.passed += passed;
  sum.failed += failed;
}
if (figures.length > 0) console.log(`\n${figures.join('\n')}`);
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed ? 1 : 0;
