// TensorFlow.js with its WebGPU back end: whole round trips, operands up and the result down, as ours are.

import { numbers, rate } from './timing.mjs';

export { submissions } from './submissions.mjs';

const MODULES = '../node_modules/@tensorflow';
for (const file of ['tfjs/dist/tf.min.js', 'tfjs-backend-webgpu/dist/tf-backend-webgpu.min.js'])
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL(`${MODULES}/${file}`, import.meta.url).href;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${file} is not there`));
    document.head.append(script);
  });
const { tf } = globalThis;
tf.env().set('WEBGPU_CPU_FORWARD', false); // small tensors would be multiplied by JavaScript
if (!(await tf.setBackend('webgpu'))) throw new Error('the webgpu back end of TensorFlow.js did not start');
await tf.ready();

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
