// TensorFlow.js with its WebAssembly back end, SIMD, one thread.

import { tensorflow } from './tensorflow.mjs';
import { numbers, rate } from './timing.mjs';

export const tf = await tensorflow('wasm', ({ wasm, env }, folder) => {
  wasm.setWasmPaths(folder);
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
});

const tensors = new Map();
function tensor(name, shape) {
  const key = `${name} ${shape}`;
  if (!tensors.has(key)) tensors.set(key, tf.tensor(numbers(shape.reduce((a, b) => a * b, 1)), shape));
  return tensors.get(key);
}

/** Products a second of n × n matrices. */
export function matmul(n, ms) {
  const a = tensor('a', [n, n]);
  const b = tensor('b', [n, n]);
  return rate(ms, () => tf.matMul(a, b).dispose());
}

/** Forward and both backward products of a batch, a second; no transposition counts, as in onnx.mjs. */
export function attention({ batch, rows, depth, columns }, ms) {
  const a = tensor('a', [batch, rows, depth]);
  const b = tensor('b', [batch, depth, columns]);
  const bt = tensor('bt', [batch, columns, depth]);
  const at = tensor('at', [batch, depth, rows]);
  const y = tensor('y', [batch, rows, columns]);
  return rate(ms, () => {
    tf.matMul(a, b).dispose();
    tf.matMul(y, bt).dispose();
    tf.matMul(at, y).dispose();
  });
}

/** What runs: the version, and whether it uses SIMD. */
export const about = async () => ({ version: tf.version_core, simd: await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT'), threads: await tf.env().getAsync('WASM_HAS_MULTITHREAD_SUPPORT') });
