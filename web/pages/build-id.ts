// What tells one build of the page's code from another: a digest of what it is made of.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './folder.ts';

export function buildId(repo: string): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    if (existsSync(join(repo, path)))
      hash.update(`${path}\n`).update(readFileSync(join(repo, path)));
  };
  for (const path of filesIn(join(repo, 'web/src'))) add(join('web/src', path));
  add('web/package-lock.json');
  for (const variant of ['gpu', 'relaxed', 'simd'])
    ['mjs', 'wasm'].forEach((end) => add(`build/wasm-${variant}/attn.${end}`));
  return hash.digest('hex').slice(0, 12);
}
