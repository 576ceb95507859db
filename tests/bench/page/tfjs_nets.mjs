// The chapter's two translators in TensorFlow.js, as a user who has profiled them would write them for its WebAssembly
// back end: products that transpose first (matMul is slow with transposeA and transposeB), one call for product and bias,
// layer norm with a gradient of its own, the keys of additive attention projected once a batch.

import { tf } from './tfjs.mjs';

export const SIZES = { steps: 10, hidden: 32, layers: 2, heads: 4, ffn: 64, dropout: 0.1 };
const { steps: STEPS, hidden: H, layers: LAYERS, heads: HEADS, ffn: FFN, dropout: DROPOUT } = SIZES;

// --- parameters, drawn as ours are

export function parameters(random) {
  const all = [];
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const uniform = (bound) => () => (2 * random() - 1) * bound;
  const parameter = (shape, draw) => {
    const size = shape.reduce((a, b) => a * b, 1);
    const variable = tf.variable(tf.tensor(Float32Array.from({ length: size }, draw), shape), true, `p${all.length}`);
    all.push(variable);
    return variable;
  };
  const xavier = (inputs, outputs) => parameter([inputs, outputs], uniform(Math.sqrt(6 / (inputs + outputs))));
  const bias = (size, inputs) => parameter([size], uniform(1 / Math.sqrt(inputs)));
  return {
    all,
    linear: (inputs, outputs, biased = false) => ({ w: xavier(inputs, outputs), b: biased ? bias(outputs, inputs) : null }),
    embedding: (words) => parameter([words, H], normal),
    layerNorm: () => ({ g: parameter([H], () => 1), b: parameter([H], () => 0) }),
    gru: (inputs) => ({ i: { w: xavier(inputs, 3 * H), b: bias(3 * H, H) }, h: { w: xavier(H, 3 * H), b: bias(3 * H, H) } }),
  };
}

// --- layers

const product = tf.customGrad((x, w, save) => {
  save([x, w]);
  return { value: tf.matMul(x, w), gradFunc: (dy, [x, w]) => [tf.matMul(dy, w.transpose()), tf.matMul(x.transpose(), dy)] };
});
const affine = tf.customGrad((x, w, b, save) => {
  save([x, w]);
  return {
    value: tf.fused.matMul({ a: x, b: w, bias: b }),
    gradFunc: (dy, [x, w]) => [tf.matMul(dy, w.transpose()), tf.matMul(x.transpose(), dy), dy.sum(0)],
  };
});

function linear(x, { w, b }) {
  const flat = x.reshape([-1, w.shape[0]]);
  const y = b ? affine(flat, w, b) : product(flat, w);
  return y.reshape([...x.shape.slice(0, -1), w.shape[1]]);
}

const normalised = tf.customGrad((x, g, b, save) => {
  const centred = x.sub(x.mean(-1, true));
  const scale = tf.rsqrt(centred.square().mean(-1, true).add(1e-5));
  const n = centred.mul(scale);
  save([n, scale, g]);
  return {
    value: n.mul(g).add(b),
    gradFunc: (dy, [n, scale, g]) => {
      const d = dy.mul(g);
      const shift = d.mean(-1, true);
      const slope = d.mul(n).mean(-1, true);
      const leading = dy.shape.map((_, i) => i).slice(0, -1);
      return [d.sub(shift).sub(n.mul(slope)).mul(scale), dy.mul(n).sum(leading), dy.sum(leading)];
    },
  };
});

const dropout = (x) => tf.dropout(x, DROPOUT);

/** Rows of a table; the back end has no kernel for the gradient of tf.gather, but one that adds where an index repeats. */
const embed = (table, ids) =>
  tf.customGrad((w, save) => {
    save([ids]);
    return { value: tf.gather(w, ids), gradFunc: (dy, [ids]) => tf.scatterND(ids.reshape([-1, 1]), dy, w.shape) };
  })(table);

// --- Transformer

const splitHeads = (x) =>
  x
    .reshape([x.shape[0], x.shape[1], HEADS, H / HEADS])
    .transpose([0, 2, 1, 3])
    .reshape([x.shape[0] * HEADS, x.shape[1], H / HEADS]);

/** mask: 0 where a query sees a key, -1e6 where not, to be added to [B · heads, queries, keys]. */
function multiHead(p, q, kv, mask) {
  const [batch, queries] = q.shape;
  const keys = splitHeads(linear(kv, p.k));
  const scores = tf.matMul(splitHeads(linear(q, p.q)), keys, false, true).mul(1 / Math.sqrt(H / HEADS));
  const context = tf.matMul(dropout(tf.softmax(scores.add(mask))), splitHeads(linear(kv, p.v)));
  const merged = context.reshape([batch, HEADS, queries, H / HEADS]).transpose([0, 2, 1, 3]).reshape([batch, queries, H]);
  return linear(merged, p.o);
}

const addNorm = ({ g, b }, x, y) => normalised(dropout(y).add(x), g, b);
const feedForward = (p, x) => linear(linear(x, p.f1).relu(), p.f2);

function positions() {
  const out = new Float32Array(STEPS * H);
  for (let t = 0; t < STEPS; t += 1)
    for (let i = 0; i < H; i += 1) {
      const angle = t / 10000 ** ((i - (i % 2)) / H);
      out[t * H + i] = i % 2 ? Math.cos(angle) : Math.sin(angle);
    }
  return tf.tensor(out, [STEPS, H]);
}

function causal() {
  const out = new Float32Array(STEPS * STEPS);
  for (let i = 0; i < STEPS; i += 1) out.fill(-1e6, i * STEPS + i + 1, (i + 1) * STEPS);
  return tf.tensor(out, [1, STEPS, STEPS]);
}

export function transformer(make, sourceWords, targetWords) {
  const heads = () => ({ q: make.linear(H, H), k: make.linear(H, H), v: make.linear(H, H), o: make.linear(H, H) });
  const block = (decodes) => ({
    self: heads(),
    norm1: make.layerNorm(),
    ...(decodes ? { cross: heads(), norm2: make.layerNorm() } : {}),
    f1: make.linear(H, FFN, true),
    f2: make.linear(FFN, H, true),
    norm3: make.layerNorm(),
  });
  const blocks = (decodes) => Array.from({ length: LAYERS }, () => block(decodes));
  const [source, target] = [make.embedding(sourceWords), make.embedding(targetWords)];
  const [encoder, decoder, dense] = [blocks(false), blocks(true), make.linear(H, targetWords, true)];
  const [position, future] = [positions(), causal()];

  return (batch) => {
    const mask = tf.tensor(batch.hidden(HEADS), [batch.size * HEADS, 1, STEPS]);
    const start = (table, ids) =>
      dropout(embed(table, batch.ids(ids)).reshape([batch.size, STEPS, H]).mul(Math.sqrt(H)).add(position));
    let x = start(source, batch.source);
    for (const p of encoder) {
      const y = addNorm(p.norm1, x, multiHead(p.self, x, x, mask));
      x = addNorm(p.norm3, y, feedForward(p, y));
    }
    let z = start(target, batch.given);
    for (const p of decoder) {
      let y = addNorm(p.norm1, z, multiHead(p.self, z, z, future));
      y = addNorm(p.norm2, y, multiHead(p.cross, y, x, mask));
      z = addNorm(p.norm3, y, feedForward(p, y));
    }
    return linear(z, dense).reshape([batch.size * STEPS, targetWords]);
  };
}

// --- Bahdanau

/** One step of a GRU by PyTorch's equations; gi = W_i x + b_i. */
function gruStep(p, gi, h) {
  const [ir, iz, inn] = tf.split(gi, 3, 1);
  const [hr, hz, hn] = tf.split(linear(h, p.h), 3, 1);
  const r = ir.add(hr).sigmoid();
  const z = iz.add(hz).sigmoid();
  const n = inn.add(r.mul(hn)).tanh();
  return n.add(z.mul(h.sub(n)));
}

/** A layer over a sequence [steps, B, size], its input half for all steps at once: the states, time first. */
function gruLayer(p, sequence, batch) {
  const states = [];
  for (const gi of tf.unstack(linear(sequence, p.i))) states.push(gruStep(p, gi, states.at(-1) ?? tf.zeros([batch, H])));
  return states;
}

export function bahdanau(make, sourceWords, targetWords) {
  const [source, target] = [make.embedding(sourceWords), make.embedding(targetWords)];
  const encoder = [make.gru(H), make.gru(H)];
  const decoder = [make.gru(2 * H), make.gru(H)];
  const [wq, wk, wv] = [make.linear(H, H), make.linear(H, H), make.linear(H, 1)];
  const dense = make.linear(H, targetWords, true);
  const timeFirst = (table, ids, batch) => embed(table, batch.idsByTime(ids)).reshape([STEPS, batch.size, H]);

  return (batch) => {
    const mask = tf.tensor(batch.hidden(1), [batch.size, STEPS]);
    const lower = gruLayer(encoder[0], timeFirst(source, batch.source, batch), batch.size);
    const upper = gruLayer(encoder[1], dropout(tf.stack(lower)), batch.size);
    let h = [lower.at(-1), upper.at(-1)];
    const values = tf.stack(upper, 1);
    const keys = linear(values, wk);
    const tops = [];
    for (const word of tf.unstack(timeFirst(target, batch.given, batch))) {
      const features = linear(h[1], wq).expandDims(1).add(keys).tanh();
      const weights = dropout(tf.softmax(linear(features, wv).reshape([batch.size, STEPS]).add(mask)));
      const context = tf.matMul(weights.expandDims(1), values).reshape([batch.size, H]);
      const h0 = gruStep(decoder[0], linear(tf.concat([context, word], 1), decoder[0].i), h[0]);
      const h1 = gruStep(decoder[1], linear(dropout(h0), decoder[1].i), h[1]);
      h = [h0, h1];
      tops.push(h1);
    }
    return linear(tf.stack(tops, 1), dense).reshape([batch.size * STEPS, targetWords]);
  };
}
