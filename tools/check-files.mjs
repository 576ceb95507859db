#!/usr/bin/env node
// Checks every text file that git knows or would add: UTF-8, line ends, tabs and trailing
// blanks, a last newline, and no addresses of a registry in the lock file.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEXT = /\.(cpp|hpp|mjs|js|ts|svelte|css|html|json|md|sh|py|cmake|txt|tsv)$|(^|\/)(run|LICENSE|\.[a-z-]+)$/;
// Tables and test data keep what they need to have.
const FREE = /^tests\/.*\/(data|goldens?)\//;

const git = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
if (git.status !== 0) throw new Error(`git ls-files: ${git.stderr ?? git.error}`);

function* problems(path, bytes) {
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD')) yield 'is not UTF-8';
  if (text.includes('\r')) yield 'has carriage returns';
  if (text !== '' && !text.endsWith('\n')) yield 'does not end in a newline';
  const trailing = text.split('\n').findIndex((line) => /[ \t]$/.test(line));
  if (trailing >= 0 && !path.endsWith('.md')) yield `line ${trailing + 1} ends in a blank`;
  if (/\.(cpp|hpp|mjs|ts|svelte|cmake|json)$/.test(path) && text.includes('\t')) yield 'has tabs';
  if (path.endsWith('package-lock.json') && text.includes('"resolved"')) yield 'names addresses: "resolved" must not be in it';
}

let failed = 0;
for (const path of git.stdout.split('\0'))
  if (TEXT.test(path) && !FREE.test(path) && existsSync(join(ROOT, path)))
    for (const message of problems(path, readFileSync(join(ROOT, path)))) {
      console.log(`${path}: ${message}`);
      failed += 1;
    }
process.exitCode = failed ? 1 : 0;
