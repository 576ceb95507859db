// train.transformer, train.bahdanau: tokens of the target a second, <eos> counted, padding not. Correct mode, the zh
// recipe: hidden 32, two layers, four heads, dropout 0.1, batches of 64, ten steps, Adam.

import { readPairs } from '../pairs.mjs';
import { median, row } from '../table.mjs';
import { hasTorch, startTorch } from '../torch.mjs';

const NETS = ['transformer', 'bahdanau'];
const SLICE_MS = 1200; // a slice a round; the peers end it with their epoch
const EPOCHS = 10000; // more than are trained

export const rows = NETS.map((net) => `train.${net}`);

/** All train the same: as many parameters, the same words. */
function checkSizes(name, theirs, ours) {
  const shown = ({ parameters, vocabularies }) => `${parameters} parameters, ${vocabularies.source} and ${vocabularies.target} words`;
  if (shown(theirs) !== shown(ours)) throw new Error(`${name} trains ${shown(theirs)}, ours ${shown(ours)}`);
}

async function peersOf(net, pairs, { browser, say }) {
  const tfjs = await browser.open('tfjs_training');
  const sizes = await tfjs.call('open', net, pairs.words);
  const peers = { 'tfjs-wasm': { sizes, train: (ms) => tfjs.call('train', net, ms), close: () => tfjs.close() } };
  if (hasTorch()) peers['pytorch-cpu'] = await startTorch(net, pairs.words);
  else say('PyTorch is not here (./run setup torch)');
  return peers;
}

async function measureNet(net, context) {
  const pairs = readPairs(context.pairs, context.examples);
  const ours = await context.browser.open('ours');
  const config = { epochs: EPOCHS };
  const own = await ours.call('open', net, config, pairs.text);
  context.say(`train.${net}: ${own.data.pairs} pairs, ${own.parameters} parameters`);
  const peers = await peersOf(net, pairs, context);
  const speeds = { ours: [], untrimmed: [] };
  for (const [name, peer] of Object.entries(peers)) {
    checkSizes(name, peer.sizes, own);
    speeds[name] = [];
  }
  for (let round = 0; round <= context.rounds; round += 1) {
    const seen = {
      ours: await ours.call('train', net, config, pairs.text, SLICE_MS),
      untrimmed: await ours.call('train', net, { ...config, book_padding: true }, pairs.text, SLICE_MS / 2),
    };
    for (const [name, peer] of Object.entries(peers)) seen[name] = (await peer.train(SLICE_MS)).speed;
    if (round > 0) for (const [name, speed] of Object.entries(seen)) speeds[name].push(speed); // the first one warms up
  }
  for (const peer of Object.values(peers)) peer.close();
  await ours.close();
  const { ours: tokens, untrimmed, ...others } = Object.fromEntries(Object.entries(speeds).map(([name, all]) => [name, median(all)]));
  return row(`train.${net}`, 'tokens/s', tokens, others, { at_least: 3, aim: 8 }, { untrimmed });
}

export async function measure(context) {
  const out = [];
  for (const net of NETS) if (context.chosen(`train.${net}`)) out.push(await measureNet(net, context));
  return out;
}
