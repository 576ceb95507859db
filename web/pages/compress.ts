// Beside each large file of the built site, the same compressed: a server that takes such files (tools/serve.mjs does) sends
// them as they are, others do as they always do.

import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { filesIn } from './folder.ts';

const KINDS = new Set(['.html', '.js', '.css', '.json', '.svg', '.tsv', '.wasm', '.safetensors']);
const SMALLEST = 1024; // bytes; below, the head of an answer counts for more

/** Trained numbers are nearly random: the hardest try gains one percent, and takes most of the time. */
const quality = (path: string): number => (extname(path) === '.safetensors' ? 5 : 11);

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < SMALLEST) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality(path),
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const made = {
    br: await promisify(brotliCompress)(bytes, { params }),
    gz: await promisify(gzip)(bytes, { level: 9 }),
  };
  for (const [suffix, small] of Object.entries(made))
    if (small.length < bytes.length) await writeFile(`${path}.${suffix}`, small);
}

export function compressed(): Plugin {
  let folder = '';
  return {
    name: 'attention-lab:compressed',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    async closeBundle() {
      const paths = filesIn(folder).filter((path) => KINDS.has(extname(path)));
      await Promise.all(paths.map((path) => compress(join(folder, path))));
    },
  };
}
