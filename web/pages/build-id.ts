// What tells one build of the page's code from another: a digest of what it is made of.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function buildId(repo: string): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    if (existsSync(join(repo, path)))
      hash.update(`${path}\n`).update(readFileSync(join(repo, path)));
  };
  const sources = readdirSync(join(repo, 'web/src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repo.length + 1));
  sources.sort().forEach(add);
  add('web/package-lock.json');
  for (const variant of ['gpu', 'relaxed', 'simd'])
    ['mjs', 'wasm'].forEach((end) => add(`build/wasm-${variant}/attn.${end}`));
  return hash.digest('hex').slice(0, 12);
}
