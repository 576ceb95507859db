// gpu.match, gpu.N: products of the variant `gpu` on WebGPU, and where their time goes. Beside them the same module's SIMD, and
// the WebGPU back ends of onnxruntime-web and TensorFlow.js.

import { startBrowser } from '../browser.mjs';
import { median } from '../table.mjs';

const SIZES = [128, 256, 512, 1024];
const SOFTWARE_SIZES = [32, 64, 128]; // larger ones take seconds there, and would say as little
const SLICE_MS = 150;
// A card first; where there is none, software.
const HARDWARE = ['--enable-unsafe-webgpu', '--enable-features=Vulkan'];
const SOFTWARE = [...HARDWARE, '--use-vulkan=swiftshader', '--use-angle=swiftshader'];
const AT_MOST = 1e-4;

export const rows = ['gpu.match', ...new Set([...SOFTWARE_SIZES, ...SIZES].map((n) => `gpu.${n}`))];

/** A page with an adapter, and what the engine says of it. */
async function open(root) {
  for (const args of [HARDWARE, SOFTWARE]) {
    const browser = await startBrowser(root, { gpu: args });
    const page = await browser.open('gpu');
    const gpu = await page.call('start');
    if (gpu.adapter) return { browser, page, gpu };
    await browser.close();
  }
  throw new Error('This browser has no WebGPU adapter, not even in software.');
}

function match({ probe, adapter }) {
  const { worst, products } = probe;
  return {
    name: 'gpu.match', unit: 'relative difference', ours: worst, peers: {}, ratio: null, at_least: AT_MOST, aim: AT_MOST,
    pass: worst <= AT_MOST, products, software: adapter.fallback,
  };
}

const PEERS = { 'onnxruntime-web': 'onnx_gpu', 'TensorFlow.js': 'tfjs_gpu' };
const ODD = 37; // beyond the tiles, and no multiple of anything

/** The peers that start here, each of which has multiplied right and on the GPU; one that has not is told and left out. */
async function openPeers(browser, say) {
  const value = (i) => ((i * 29) % 17) / 8 - 1;
  const [a, b] = [0, 5].map((from) => Array.from({ length: ODD * ODD }, (_, i) => value(i + from)));
  const want = a.map((_, i) => {
    const [row, column] = [Math.floor(i / ODD), i % ODD];
    return Array.from({ length: ODD }, (_, k) => a[row * ODD + k] * b[k * ODD + column]).reduce((x, y) => x + y);
  });
  const pages = {};
  for (const [name, file] of Object.entries(PEERS))
    try {
      const page = await browser.open(file);
      const before = await page.call('submissions');
      const got = await page.call('product', ODD, a, b);
      if (got.length !== want.length) throw new Error(`${got.length} numbers instead of ${want.length}`);
      const worst = Math.max(...got.map((x, i) => Math.abs(x - want[i]) / Math.max(1, Math.abs(want[i]))));
      if (!(worst <= AT_MOST)) throw new Error(`its product is ${worst} off`);
      if ((await page.call('submissions')) === before) throw new Error('it multiplied without the GPU');
      pages[name] = page;
    } catch (error) {
      say(`gpu: ${name} is left out: ${error.message.split('\n')[0]}`);
    }
  return pages;
}

async function square(n, { rounds, say }, { page, peers: others }, software) {
  say(`gpu.${n}`);
  const gpu = [], simd = [];
  const seen = Object.fromEntries(Object.keys(others).map((name) => [name, []]));
  for (const other of Object.values(others)) await other.call('matmul', n, SLICE_MS); // it compiles for each size
  for (let round = 0; round < rounds; round += 1) {
    gpu.push(await page.call('matmul', 'webgpu', n, SLICE_MS));
    simd.push(await page.call('matmul', 'simd', n, SLICE_MS));
    for (const [name, other] of Object.entries(others)) seen[name].push(2e-9 * n ** 3 * (await other.call('matmul', n, SLICE_MS)));
  }
  const of = (name) => median(gpu.map((metrics) => metrics[name]));
  const ours = of('gflops');
  const simdHere = median(simd.map(({ gflops }) => gflops));
  const peers = { 'our SIMD': simdHere, ...Object.fromEntries(Object.entries(seen).map(([name, all]) => [name, median(all)])) };
  const shares = Object.fromEntries(['upload', 'compute', 'readback'].map((part) => [part, of(`${part}_share`)]));
  // Reported: whether a card wins at a size is the card's affair, and a software adapter says nothing of speed.
  return { name: `gpu.${n}`, unit: 'GFLOP/s', ours, peers, ratio: ours / Math.max(...Object.values(peers)), at_least: null, aim: 1.5, pass: null, software, shares };
}

export async function measure(context) {
  const { browser, page, gpu } = await open(context.root);
  try {
    const { vendor, architecture, fallback } = gpu.adapter;
    context.say(`gpu: ${[vendor, architecture].filter(Boolean).join(' ') || 'an adapter without a name'}${fallback ? ', software' : ''}, kernel ${gpu.kernel ?? gpu.kernels?.[0]?.name}`);
    const out = context.chosen('gpu.match') ? [match(gpu)] : [];
    const sizes = (fallback ? SOFTWARE_SIZES : SIZES).filter((n) => context.chosen(`gpu.${n}`));
    const peers = sizes.length > 0 ? await openPeers(browser, context.say) : {};
    for (const n of sizes) out.push(await square(n, context, { page, peers }, fallback));
    for (const peer of Object.values(peers)) await peer.close();
    return out;
  } finally {
    await page.close();
    await browser.close();
  }
}
