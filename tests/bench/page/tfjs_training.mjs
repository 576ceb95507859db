// Trains the chapter's translators with TensorFlow.js by the recipe that ours follow: batches of 64, Adam with rate 0.005,
// gradients clipped at norm 1. The update is one Adam step over all parameters laid end to end.

import { tf } from './tfjs.mjs';
import { bahdanau, parameters, SIZES, transformer } from './tfjs_nets.mjs';

const BATCH = 64;
const RATE = 0.005;
const { steps: STEPS } = SIZES;
const NETS = { transformer, bahdanau };
const trainings = new Map();

/** xorshift32. */
function generator(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

/** Words seen at least twice, behind <unk>, <pad>, <bos>, <eos>. */
function vocabulary(sentences) {
  const counts = new Map();
  for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts.keys()].filter((word) => counts.get(word) >= 2);
  return new Map(['<unk>', '<pad>', '<bos>', '<eos>', ...words].map((word, i) => [word, i]));
}

const encode = (words, sentences) =>
  sentences.map((sentence) => [...sentence.map((word) => words.get(word) ?? 0), words.get('<eos>')].slice(0, STEPS));

/** A batch as its net reads it, all sentences of STEPS words. */
function batchOf(pairs, pad, begin) {
  const padded = (ids) => [...ids, ...Array(STEPS - ids.length).fill(pad)];
  const flat = (rows) => Int32Array.from(rows.map(padded).flat());
  const byTime = (rows) => rows[0].map((_, t) => rows.map((row) => row[t])).flat();
  const source = pairs.map((pair) => pair.source);
  const target = pairs.map((pair) => pair.target);
  return {
    size: pairs.length,
    tokens: target.reduce((sum, ids) => sum + ids.length, 0),
    source,
    given: target.map((ids) => [begin, ...ids].slice(0, STEPS)),
    ids: (rows) => tf.tensor1d(flat(rows), 'int32'),
    idsByTime: (rows) => tf.tensor1d(Int32Array.from(byTime(rows.map(padded))), 'int32'),
    wanted: () => tf.tensor1d(flat(target), 'int32'),
    weights: () => tf.tensor1d(target.flatMap((ids) => Array.from({ length: STEPS }, (_, t) => (t < ids.length ? 1 : 0)))),
    /** 0 for a word of the source, -1e6 for padding, `times` times an example. */
    hidden: (times) =>
      Float32Array.from(source.flatMap((ids) => Array(times).fill(Array.from({ length: STEPS }, (_, t) => (t < ids.length ? 0 : -1e6)))).flat()),
  };
}

/** Clips at norm 1 and makes a step of Adam on all parameters as one vector. */
function updater(all) {
  const joined = (tensors) => tf.concat(tensors.map((x) => x.reshape([-1])));
  const weights = tf.variable(tf.tidy(() => joined(all)), false);
  const [m, v] = [tf.variable(tf.zerosLike(weights), false), tf.variable(tf.zerosLike(weights), false)];
  let step = 0;
  return (gradients) => {
    step += 1;
    const raw = joined(all.map((p) => gradients[p.name]));
    const g = raw.mul(tf.minimum(1, tf.div(1, raw.square().sum().sqrt().add(1e-6))));
    m.assign(m.mul(0.9).add(g.mul(0.1)));
    v.assign(v.mul(0.999).add(g.square().mul(0.001)));
    const root = v.sqrt().mul(1 / Math.sqrt(1 - 0.999 ** step)).add(1e-8);
    weights.assign(weights.sub(m.mul(RATE / (1 - 0.9 ** step)).div(root)));
    const values = weights.dataSync(); // tf.split of this back end copies everything for every part
    let at = 0;
    for (const p of all) {
      p.assign(tf.tensor(values.subarray(at, at + p.size), p.shape));
      at += p.size;
    }
  };
}

/** Gets ready to train `net` on tokenised pairs. Says how large model and vocabularies are. */
export function open(net, pairs) {
  const random = generator(0);
  const make = parameters(random);
  const [sources, targets] = [pairs.map((pair) => pair[0]), pairs.map((pair) => pair[1])];
  const [from, to] = [vocabulary(sources), vocabulary(targets)];
  const [source, target] = [encode(from, sources), encode(to, targets)];
  const forward = NETS[net](make, from.size, to.size);
  trainings.set(net, {
    random, forward, parameters: make.all, update: updater(make.all), words: to.size,
    pad: to.get('<pad>'), begin: to.get('<bos>'),
    examples: source.map((ids, i) => ({ source: ids, target: target[i] })),
  });
  const size = make.all.reduce((sum, p) => sum + p.size, 0);
  return { parameters: size, vocabularies: { source: from.size, target: to.size } };
}

function step(training, pairs) {
  const batch = batchOf(pairs, training.pad, training.begin);
  return tf.tidy(() => {
    const { value, grads } = tf.variableGrads(() => {
      const logarithms = tf.logSoftmax(training.forward(batch));
      const losses = tf.oneHot(batch.wanted(), training.words).mul(logarithms).sum(-1).neg();
      return losses.mul(batch.weights()).sum().div(batch.tokens);
    }, training.parameters);
    training.update(grads);
    return { tokens: batch.tokens, loss: value.dataSync()[0] };
  });
}

function shuffled(items, random) {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

/** Trains whole epochs until `ms` have passed. Tokens a second, and the loss a token of the last batch. */
export async function train(net, ms) {
  const training = trainings.get(net);
  const start = performance.now();
  let tokens = 0;
  let last;
  do {
    const order = shuffled(training.examples, training.random);
    for (let i = 0; i < order.length; i += BATCH) {
      last = step(training, order.slice(i, i + BATCH));
      tokens += last.tokens;
    }
    await new Promise((resolve) => setTimeout(resolve));
  } while (performance.now() - start < ms);
  return { speed: (1000 * tokens) / (performance.now() - start), loss: last.loss };
}
