// memory.flat: by how much memory grows over 2,000 training steps after the first 50.

import { readPairs } from '../pairs.mjs';

const SETTLING = 50;
const STEPS = 2000;
const BATCH = 64;
// One epoch is longer than the run: what an epoch leaves in the history is a result, and may stay.
const CONFIG = { epochs: 2, batch_size: BATCH };

export const rows = ['memory.flat'];

export async function measure({ browser, pairs, say }) {
  const { text } = readPairs(pairs, Infinity);
  const enough = text.repeat(Math.ceil((BATCH * (SETTLING + STEPS + 1)) / (text.split('\n').length - 1)));
  const ours = await browser.open('ours');
  const growth = {};
  for (const model of await ours.call('translators')) {
    say(`memory.flat: ${model}`);
    const before = await ours.call('steps', model, CONFIG, enough, SETTLING);
    const after = await ours.call('steps', model, CONFIG, enough, STEPS);
    growth[model] = Math.max(after.heap - before.heap, after.in_use - before.in_use, after.pool - before.pool);
  }
  await ours.close();
  const most = Math.max(...Object.values(growth));
  return [{ name: 'memory.flat', unit: 'bytes', ours: most, peers: {}, ratio: null, at_least: 0, aim: 0, pass: most === 0, models: growth }];
}
