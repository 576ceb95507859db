// Our own core, variant `gpu`, on the page's one thread: a software adapter is good enough, every figure says whose it is.

const { default: factory } = await import('../../../build/wasm-gpu/attn.mjs');
const module = await factory();
const engine = new module.Engine();

async function call(verb, request) {
  const head = JSON.parse((await engine.call(verb, JSON.stringify(request))).head);
  if (head.error) throw new Error(`${verb}: ${head.error.message}`);
  return head;
}

/** Finds, compares and measures the GPU: its state. */
export const start = () => call('gpu', { fallback: true, start: true });

const sessions = new Map();

/** An n × n · n × n product by 'webgpu' or 'simd', measured for `ms`. */
export async function matmul(path, n, ms) {
  const config = { m: n, n, k: n, path, measure_ms: ms };
  const key = JSON.stringify(config);
  if (!sessions.has(key)) sessions.set(key, (await call('open', { model: 'matmul', config })).session);
  return (await call('run', { session: sessions.get(key) })).metrics;
}
