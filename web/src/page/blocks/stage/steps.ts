// What is worth saying about a step in the words of the field: its formula, and whose colour it has.
// Found by the end of the step's name (numbers left out), so `encoder.1.hidden` finds `encoder.hidden`
// before `hidden`; then by op. The names come from the engine: a step without an entry still works.

import type { Role } from '../../parts/palette';

interface Entry {
  role?: Role;
  /** \q \k \v \w \c colour a symbol; \cur marks the term that this step computes. */
  tex: string;
}

const tex = String.raw;

const ATTENTION = {
  query: tex`\q{s}_{t-1}`,
  score: tex`a(\q{s}_{t-1}, \k{h}_i)`,
  inner: tex`\tanh(W_q\, \q{s}_{t-1} + W_k\, \k{h}_i)`,
};

const BY_STEP: Record<string, Entry> = {
  // kernel regression
  'data.x_train': { role: 'k', tex: tex`\cur{\k{x}_i \sim U[0, 5)}` },
  'data.y_train': { role: 'v', tex: tex`\cur{\v{y}_i} = f(\k{x}_i) + \varepsilon_i` },
  'data.x_test': { role: 'q', tex: tex`\cur{\q{x}} = 0,\ 0.1,\ \dots,\ 4.9` },
  'data.truth': { tex: tex`\cur{f(\q{x})} = 2\sin \q{x} + \q{x}^{0.8}` },
  distance: { tex: tex`\cur{\q{x} - \k{x}_i}` },
  'average.scores': { tex: tex`\cur{a(\q{x}, \k{x}_i) = 0}` },
  'fixed.scores': { tex: tex`\cur{a(\q{x}, \k{x}_i) = -\tfrac12 (\q{x} - \k{x}_i)^2}` },
  'learned.scores': {
    tex: tex`\cur{a(\q{x}, \k{x}_i) = -\tfrac12 \bigl((\q{x} - \k{x}_i)\,w\bigr)^2}`,
  },
  'learned.w': { tex: tex`a(\q{x}, \k{x}_i) = -\tfrac12 \bigl((\q{x} - \k{x}_i)\,\cur{w}\bigr)^2` },
  weights: {
    role: 'w',
    tex: tex`\hat y = \textstyle\sum_i \cur{\w{\alpha}_i = \operatorname{softmax}_i\, a(\q{x}, \k{x}_i)}\; \v{y}_i`,
  },
  prediction: { role: 'c', tex: tex`\cur{\c{\hat y} = \textstyle\sum_i \w{\alpha}_i\, \v{y}_i}` },
  error: { tex: tex`\cur{\tfrac1n \textstyle\sum (\c{\hat y} - f(\q{x}))^2}` },

  // encoder and decoder
  'source.ids': { role: 'k', tex: tex`\cur{x_1, \dots, x_n}` },
  previous: { tex: tex`\cur{y_{t-1}}` },
  embedding: { tex: tex`\cur{e_t = E_{y_{t-1}}}` },
  'encoder.embedding': { tex: tex`\cur{e_i = E_{x_i}}` },
  reset: { tex: tex`\cur{r_t = \sigma(W_r\, x_t + U_r\, h_{t-1} + b_r)}` },
  update: { tex: tex`\cur{z_t = \sigma(W_z\, x_t + U_z\, h_{t-1} + b_z)}` },
  candidate: { tex: tex`\cur{n_t = \tanh(W_n\, x_t + b_n + r_t \odot (U_n\, h_{t-1} + b'_n))}` },
  state: { tex: tex`\cur{h_t = (1 - z_t) \odot n_t + z_t \odot h_{t-1}}` },
  hidden: { tex: tex`\cur{h_1, \dots, h_n}` },
  'encoder.hidden': { role: 'k', tex: tex`\cur{\k{h}_1, \dots, \k{h}_n}` },
  gru_input: { role: 'c', tex: tex`\cur{[\,\c{c}_t\,;\, e_{t-1}\,]}` },
  logits: { tex: tex`\cur{o_t = W\, s_t + b}` },
  probabilities: { tex: tex`\cur{P(y_t) = \operatorname{softmax}(o_t)}` },
  loss: { tex: tex`\cur{L = -\tfrac1T \textstyle\sum_t \ln P(y_t)}` },

  // additive attention
  keys_projected: { role: 'k', tex: tex`\cur{W_k\, \k{h}_i}` },
  query: { role: 'q', tex: tex`\cur{${ATTENTION.query}}` },
  query_projected: { role: 'q', tex: tex`\cur{W_q\, ${ATTENTION.query}}` },
  features: { tex: tex`\cur{${ATTENTION.inner}}` },
  scores: { tex: tex`\cur{${ATTENTION.score} = w_v^\top ${ATTENTION.inner}}` },
  'decoder.weights': {
    role: 'w',
    tex: tex`\c{c}_t = \textstyle\sum_i \cur{\w{\alpha}_{t,i} = \operatorname{softmax}_i\, ${ATTENTION.score}}\; \v{h}_i`,
  },
  'decoder.context': {
    role: 'c',
    tex: tex`\cur{\c{c}_t = \textstyle\sum_i \w{\alpha}_{t,i}\, \v{h}_i}`,
  },
};

const BY_OP: Record<string, string> = {
  matmul: tex`\cur{Y = X\,W}`,
  add: tex`\cur{y = a + b}`,
  sub: tex`\cur{y = a - b}`,
  mul: tex`\cur{y = a \cdot b}`,
  tanh: tex`\cur{y = \tanh x}`,
  sigmoid: tex`\cur{y = \sigma(x)}`,
  softmax: tex`\cur{p_i = \frac{e^{x_i}}{\sum_j e^{x_j}}}`,
  masked_softmax: tex`\cur{p_i = \frac{e^{x_i}}{\sum_{j \le n} e^{x_j}}}`,
};

/** By the key of a step or of an op, as TeX; pages/formulas.ts sets them. */
export const FORMULAS: Record<string, string> = {
  ...Object.fromEntries(Object.entries(BY_OP).map(([op, formula]) => [`op ${op}`, formula])),
  ...Object.fromEntries(Object.entries(BY_STEP).map(([step, entry]) => [step, entry.tex])),
};

function find(name: string): string | undefined {
  const parts = name.split('.').filter((part) => !/^\d+$/.test(part));
  const keys = parts.map((_, i) => parts.slice(i).join('.'));
  return keys.find((each) => Object.hasOwn(BY_STEP, each));
}

export function stepRole(name: string | undefined): Role {
  const key = name === undefined ? undefined : find(name);
  return (key === undefined ? undefined : BY_STEP[key]?.role) ?? 'ink';
}

/** Under which key `FORMULAS` has the formula of a step. */
export function formulaKey(name: string, op: string): string | undefined {
  return find(name) ?? (Object.hasOwn(BY_OP, op) ? `op ${op}` : undefined);
}
