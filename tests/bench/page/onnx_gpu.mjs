// onnxruntime-web with its WebGPU back end: whole round trips, operands up and the result down, as ours are.

import * as ort from '../node_modules/onnxruntime-web/dist/ort.webgpu.min.mjs';
import { model } from './onnx_model.mjs';
import { numbers, rate } from './timing.mjs';

export { submissions } from './submissions.mjs';

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL('../node_modules/onnxruntime-web/dist/', import.meta.url).href;
ort.env.logLevel = 'error'; // what is not the GPU's business it computes elsewhere, and says so

const sessions = new Map();
async function session(n) {
  if (!sessions.has(n)) {
    const only = model({ a: [n, n], b: [n, n] }, [['a', 'b', 'c']], ['c', [n, n]]);
    sessions.set(n, await ort.InferenceSession.create(only, { executionProviders: ['webgpu'] }));
  }
  return sessions.get(n);
}

const multiply = async (n, a, b) => {
  const run = await session(n);
  const tensor = (values) => new ort.Tensor('float32', values, [n, n]);
  return (await run.run({ a: tensor(a), b: tensor(b) })).c.data;
};

/** Products a second of n × n matrices. */
export async function matmul(n, ms) {
  const [a, b] = [numbers(n * n), numbers(n * n)];
  return rate(ms, () => multiply(n, a, b));
}

/** The product of two given matrices. */
export const product = async (n, a, b) => Array.from(await multiply(n, Float32Array.from(a), Float32Array.from(b)));
