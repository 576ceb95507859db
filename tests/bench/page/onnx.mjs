// onnxruntime-web: WebAssembly, one thread.

import * as ort from '../node_modules/onnxruntime-web/dist/ort.wasm.min.mjs';
import { model } from './onnx_model.mjs';
import { numbers, rate } from './timing.mjs';

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL('../node_modules/onnxruntime-web/dist/', import.meta.url).href;

const sessions = new Map();
async function session(key, make) {
  if (!sessions.has(key)) {
    const { inputs, products, output } = make();
    const feeds = Object.fromEntries(
      Object.entries(inputs).map(([name, shape]) => {
        const size = shape.reduce((a, b) => a * b, 1);
        return [name, new ort.Tensor('float32', numbers(size, 1 / Math.sqrt(shape.at(-1))), shape)];
      }),
    );
    const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'disabled' };
    sessions.set(key, { run: await ort.InferenceSession.create(model(inputs, products, output), options), feeds });
  }
  return sessions.get(key);
}

/**
 * Products a second of n × n matrices. One run of the model is a chain of several, so that what a run costs in
 * JavaScript counts for little.
 */
export async function matmul(n, ms) {
  const chain = Math.max(1, Math.min(64, Math.round(2e6 / n ** 3)));
  const { run, feeds } = await session(`matmul ${n}`, () => ({
    inputs: { x0: [n, n], b: [n, n] },
    products: Array.from({ length: chain }, (_, i) => [`x${i}`, 'b', `x${i + 1}`]),
    output: [`x${chain}`, [n, n]],
  }));
  return chain * (await rate(ms, () => run.run(feeds)));
}

/**
 * Forward and both backward products of a batch of a [rows, depth] b [depth, columns], a second; the operands of the
 * backward products lie as they are read, no transposition counts. The chain turns a [r, d] into [r, c] and back, and
 * its end through [d, r] [r, c]: each of the three as often.
 */
export async function attention({ batch, rows, depth, columns }, ms) {
  const chain = 8;
  const { run, feeds } = await session('attention', () => {
    const products = [];
    for (let i = 0; i < chain; i += 1) {
      products.push([`x${i}`, 'b', `y${i}`]); // forward
      products.push([`y${i}`, 'bt', `x${i + 1}`]); // to the left operand
      products.push(['at', `y${i}`, i + 1 < chain ? `z${i}` : 'z']); // to the right one
    }
    return {
      inputs: { x0: [batch, rows, depth], b: [batch, depth, columns], bt: [batch, columns, depth], at: [batch, depth, rows] },
      products,
      output: ['z', [batch, depth, columns]],
    };
  });
  return chain * (await rate(ms, () => run.run(feeds)));
}

/** The product of two given matrices: a check that the hand-written model multiplies. */
export async function product(n, a, b) {
  const only = model({ a: [n, n], b: [n, n] }, [['a', 'b', 'c']], ['c', [n, n]]);
  const run = await ort.InferenceSession.create(only, { executionProviders: ['wasm'] });
  const tensor = (values) => new ort.Tensor('float32', Float32Array.from(values), [n, n]);
  return Array.from((await run.run({ a: tensor(a), b: tensor(b) })).c.data);
}
