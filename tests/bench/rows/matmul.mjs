// matmul.N, their geometric mean, matmul.peak, attention.train.

import { median, row } from '../table.mjs';

const SIZES = [32, 64, 128, 256, 512, 1024];
const SLICE_MS = 60; // a slice a round
const ATTENTION = { batch: 256, rows: 10, depth: 8, columns: 10 };

export const rows = [...SIZES.map((n) => `matmul.${n}`), 'matmul.mean', 'matmul.peak', 'attention.train'];

/** Measures until nothing gets faster any more: the browser compiles what is hot a second time, when it finds the time. */
async function warmUp(measure) {
  let best = await measure();
  for (let idle = 0, tries = 0; idle < 4 && tries < 40; tries += 1) {
    const next = await measure();
    idle = next > 1.05 * best ? 0 : idle + 1;
    best = Math.max(best, next);
  }
}

/** Each of `measures` {name: () => number}, in turn, `rounds` times: {name: median}. */
async function inTurn(rounds, measures) {
  const seen = Object.fromEntries(Object.keys(measures).map((name) => [name, []]));
  for (const measure of Object.values(measures)) await warmUp(measure);
  for (let round = 0; round < rounds; round += 1)
    for (const [name, measure] of Object.entries(measures)) seen[name].push(await measure());
  return Object.fromEntries(Object.entries(seen).map(([name, values]) => [name, median(values)]));
}

/** The peers must multiply what they say they multiply. */
async function checkProducts(onnx) {
  const c = await onnx.call('product', 2, [1, 2, 3, 4], [5, 6, 7, 8]);
  if (c.join() !== '19,22,43,50') throw new Error(`onnxruntime-web: a product of its own: ${c}`);
}

async function square(n, { rounds, say }, { ours, onnx, tfjs }) {
  say(`matmul.${n}`);
  const gflop = 2e-9 * n ** 3;
  const found = await inTurn(rounds, {
    ours: async () => (await ours.call('matmul', { m: n, n, k: n }, SLICE_MS)).gflops,
    'onnxruntime-web': async () => gflop * (await onnx.call('matmul', n, SLICE_MS)),
    'tfjs-wasm': async () => gflop * (await tfjs.call('matmul', n, SLICE_MS)),
  });
  const { ours: own, ...peers } = found;
  return row(`matmul.${n}`, 'GFLOP/s', own, peers, { at_least: 1.2, aim: 2.5 });
}

function geometricMean(results) {
  const mean = Math.exp(results.reduce((sum, r) => sum + Math.log(r.ratio), 0) / results.length);
  return { name: 'matmul.mean', unit: 'geometric mean of ratios', ours: mean, peers: {}, ratio: mean, at_least: 1.8, aim: 2.5, pass: mean >= 1.8 };
}

async function peak({ rounds, say }, { ours }) {
  say('matmul.peak');
  const all = [];
  const measure = () => ours.call('matmul', { m: 256, n: 256, k: 256 }, 4 * SLICE_MS);
  await warmUp(async () => (await measure()).gflops);
  for (let round = 0; round < rounds; round += 1) all.push(await measure());
  const of = (name) => median(all.map((metrics) => metrics[name]));
  const share = of('share');
  return { name: 'matmul.peak', unit: 'GFLOP/s', ours: of('gflops'), peers: { registers: of('peak_gflops') }, ratio: share, at_least: 0.75, aim: 0.9, pass: share >= 0.75 };
}

/** Forward, dy bᵀ and aᵀ dy, ours with the operands as the forward pass left them. */
async function attention({ rounds, say }, { ours, onnx, tfjs }) {
  say('attention.train');
  const { batch, rows: m, depth: k, columns: n } = ATTENTION;
  const products = [
    { batch, m, n, k },
    { batch, m, n: k, k: n, b_transposed: true },
    { batch, m: k, n, k: m, a_transposed: true },
  ];
  const gflop = 3 * 2e-9 * batch * m * n * k;
  const found = await inTurn(rounds, {
    ours: async () => {
      let ms = 0;
      for (const config of products) ms += (await ours.call('matmul', config, SLICE_MS / 2)).ms;
      return (1000 * gflop) / ms;
    },
    'onnxruntime-web': async () => gflop * (await onnx.call('attention', ATTENTION, SLICE_MS)),
    'tfjs-wasm': async () => gflop * (await tfjs.call('attention', ATTENTION, SLICE_MS)),
  });
  const { ours: own, ...peers } = found;
  return row('attention.train', 'GFLOP/s', own, peers, { at_least: 2, aim: 5 });
}

export async function measure(context) {
  const pages = {};
  for (const name of ['ours', 'onnx', 'tfjs']) pages[name] = await context.browser.open(name);
  await checkProducts(pages.onnx);
  const out = [];
  const sizes = SIZES.filter((n) => context.chosen(`matmul.${n}`) || context.chosen('matmul.mean'));
  for (const n of sizes) out.push(await square(n, context, pages));
  if (sizes.length === SIZES.length) out.push(geometricMean(out));
  if (context.chosen('matmul.peak')) out.push(await peak(context, pages));
  if (context.chosen('attention.train')) out.push(await attention(context, pages));
  for (const page of Object.values(pages)) await page.close();
  return out;
}
