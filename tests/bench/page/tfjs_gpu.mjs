// TensorFlow.js with its WebGPU back end: whole round trips, operands up and the result down, as ours are.

import { tensorflow } from './tensorflow.mjs';
import { numbers, rate } from './timing.mjs';

export { submissions } from './submissions.mjs';

const tf = await tensorflow('webgpu', ({ env }) => env().set('WEBGPU_CPU_FORWARD', false)); // small tensors would be JavaScript's

async function multiply(n, a, b) {
  const tensors = [a, b].map((values) => tf.tensor(values, [n, n]));
  const c = tf.matMul(...tensors);
  const values = await c.data();
  tf.dispose([...tensors, c]);
  return values;
}

/** Products a second of n × n matrices. */
export async function matmul(n, ms) {
  const [a, b] = [numbers(n * n), numbers(n * n)];
  return rate(ms, () => multiply(n, a, b));
}

/** The product of two given matrices. */
export const product = async (n, a, b) => Array.from(await multiply(n, Float32Array.from(a), Float32Array.from(b)));
