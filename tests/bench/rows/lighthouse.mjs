// Lighthouse's score of speed, of the slowest kind of page: as on a desktop, with the network of one computed. What it demands of
// every page beside speed is a test (tests/browsers/lighthouse.test.mjs).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../../tools/serve.mjs';
import { PAGES, startLighthouse } from '../../browsers/lighthouse.mjs';
import { median } from '../table.mjs';

export const rows = ['lighthouse'];

const ROUNDS = 3; // of a dozen seconds a page

export async function measure({ root, rounds, say }) {
  const folder = join(root, 'build', 'site');
  if (!existsSync(folder)) throw new Error(`There is no ${folder}: call ./run build.`);
  const site = await serve({ root: folder, port: 9500 });
  const lighthouse = await startLighthouse(`http://localhost:${site.port}`);
  const scores = {};
  try {
    for (const [kind, path] of Object.entries(PAGES)) {
      say(`lighthouse ${kind}`);
      const runs = [];
      for (let i = 0; i < Math.min(rounds, ROUNDS); i += 1) {
        const { categories } = await lighthouse.audit(path, ['performance']);
        runs.push(100 * categories.performance.score);
      }
      scores[kind] = median(runs);
    }
  } finally {
    await lighthouse.close();
    site.close();
  }
  const limits = { at_least: 80, aim: 95 };
  const ours = Math.min(...Object.values(scores));
  return [{ name: 'lighthouse', unit: 'of 100', ours, peers: {}, ratio: null, ...limits, pass: ours >= limits.at_least, scores }];
}
