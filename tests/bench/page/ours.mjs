// Our own core, relaxed variant, on the page's one thread.

const { default: factory } = await import('../../../build/wasm-relaxed/attn.mjs');
const module = await factory();
const engine = new module.Engine();

function call(verb, request) {
  const head = JSON.parse(engine.call(verb, JSON.stringify(request)).head);
  if (head.error) throw new Error(`${verb}: ${head.error.message}`);
  return head;
}

/** Opens a lab or a model once; the same request gives the same session again. */
const sessions = new Map();
function session(request) {
  const key = JSON.stringify(request);
  if (!sessions.has(key)) sessions.set(key, call('open', request));
  return sessions.get(key);
}

/** Products of a lab's config, measured inside WebAssembly for `ms`. */
export function matmul(config, ms) {
  const { session: id } = session({ model: 'matmul', config: { ...config, measure_ms: ms } });
  return call('run', { session: id }).metrics;
}

/** Begins to train; says how large model and data are. */
export const open = (model, config, pairs) => session({ model, config, data: { pairs } });

/** Goes on training for `ms`: tokens a second, as the book counts them. */
export function train(model, config, pairs, ms) {
  const reply = call('train', { session: open(model, config, pairs).session, budget_ms: ms });
  if (reply.state !== 'training') throw new Error(`${model}: ${reply.message ?? 'trained to the end'}`);
  return reply.tokens_per_s;
}

/** The models that train on pairs; a lab may read some too. */
export const translators = () =>
  call('describe', {})
    .models.filter(({ kind, needs_pairs }) => kind === 'model' && needs_pairs)
    .map((model) => model.name);

/** Trains `count` batches, one at a time, and says what the memory is like then. */
export function steps(model, config, pairs, count) {
  const { session: id } = open(model, config, pairs);
  for (let i = 0; i < count; i += 1) call('train', { session: id, budget_ms: 0 });
  return JSON.parse(engine.memory());
}
