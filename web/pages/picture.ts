// The picture on the front pages: the weights of a kernel regression that the core trains while the site is built.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Weights of evenly spaced queries (rows) over all keys (columns). */
export interface Picture {
  weights: number[][];
}

export interface Pictures {
  wide: Picture;
  hero: Picture;
}

/** Undefined where the core is not built yet (in development); then the pages have no picture. */
export function readPictures({ repo, web }: { repo: string; web: string }): Pictures | undefined {
  const core = join(repo, 'build', 'wasm-simd', 'attn.mjs');
  if (!existsSync(core)) return undefined;
  const script = join(web, 'pages', 'picture-core.mjs');
  const json = execFileSync(process.execPath, [script, core], { encoding: 'utf8' });
  return JSON.parse(json) as Pictures;
}
