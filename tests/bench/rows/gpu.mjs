// gpu.match, gpu.N: products of the variant `gpu` on WebGPU, and where their time goes. Beside them the same module's SIMD.

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

async function square(n, { rounds, say }, page, software) {
  say(`gpu.${n}`);
  const gpu = [], simd = [];
  for (let round = 0; round < rounds; round += 1) {
    gpu.push(await page.call('matmul', 'webgpu', n, SLICE_MS));
    simd.push(await page.call('matmul', 'simd', n, SLICE_MS));
  }
  const of = (name) => median(gpu.map((metrics) => metrics[name]));
  const ours = of('gflops');
  const peers = { 'our SIMD': median(simd.map(({ gflops }) => gflops)) };
  const shares = Object.fromEntries(['upload', 'compute', 'readback'].map((part) => [part, of(`${part}_share`)]));
  // Reported: whether a card wins at a size is the card's affair, and a software adapter says nothing of speed.
  return { name: `gpu.${n}`, unit: 'GFLOP/s', ours, peers, ratio: ours / peers['our SIMD'], at_least: null, aim: 1.5, pass: null, software, shares };
}

export async function measure(context) {
  const { browser, page, gpu } = await open(context.root);
  try {
    const { vendor, architecture, fallback } = gpu.adapter;
    context.say(`gpu: ${[vendor, architecture].filter(Boolean).join(' ') || 'an adapter without a name'}${fallback ? ', software' : ''}, kernel ${gpu.kernel ?? gpu.kernels?.[0]?.name}`);
    const out = context.chosen('gpu.match') ? [match(gpu)] : [];
    for (const n of fallback ? SOFTWARE_SIZES : SIZES)
      if (context.chosen(`gpu.${n}`)) out.push(await square(n, context, page, fallback));
    return out;
  } finally {
    await page.close();
    await browser.close();
  }
}
