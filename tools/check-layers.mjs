#!/usr/bin/env node
// Checks the layers of src/: a folder includes only what stands left of it (and itself),
// an include is written from src/ ("ops/matmul.hpp"), and xtensor's lazy expressions stay
// inside source files: no header outside tensor/ says xt::.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// tensor ← kernels ← graph ← ops ← nn ← text, train ← models, labs ← engine ← bindings, cli
const LEVELS = [['tensor'], ['kernels'], ['graph'], ['ops'], ['nn'], ['text', 'train'], ['models', 'labs'], ['engine'], ['bindings', 'cli']];
const SIDEWAYS = { train: ['text'], labs: ['models'] }; // the loop makes batches and scores translations; a lab is a model without weights

const allowed = new Map();
for (const [level, names] of LEVELS.entries())
  for (const name of names)
    allowed.set(name, new Set([...LEVELS.slice(0, level).flat(), name, ...(SIDEWAYS[name] ?? [])]));

function* problems(layer, path, text) {
  if (!allowed.has(layer)) yield [1, `"${layer}" is no layer`];
  for (const [index, line] of text.split('\n').entries()) {
    const included = /^\s*#\s*include\s+"([^"]+)"/.exec(line)?.[1];
    if (included !== undefined) {
      const target = included.split('/')[0];
      if (!allowed.has(target) || included.includes('..'))
        yield [index + 1, `"${included}" is not written from src/ ("layer/file.hpp")`];
      else if (!allowed.get(layer)?.has(target)) yield [index + 1, `${layer} includes ${target}, which stands right of it`];
    }
    if (path.endsWith('.hpp') && layer !== 'tensor' && /\bxt::/.test(line.replace(/\/\/.*/, '')))
      yield [index + 1, 'xt:: in a header: public signatures say Tensor'];
  }
}

const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true }).filter(
  (entry) => entry.isFile() && /\.[ch]pp$/.test(entry.name),
);
let failed = 0;
for (const entry of files) {
  const path = join(entry.path ?? entry.parentPath, entry.name);
  const shown = path.slice(ROOT.length);
  for (const [line, message] of problems(shown.split('/')[1], shown, readFileSync(path, 'utf8'))) {
    console.log(`${shown}:${line}: ${message}`);
    failed += 1;
  }
}
if (files.length === 0) console.log('src/ holds no C++ file');
process.exitCode = failed || files.length === 0 ? 1 : 0;
