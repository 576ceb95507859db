// What is worth saying about a step in the signs of the field: its formula.
// Found by the end of the step's name (store/names.ts), so `encoder.1.hidden` finds `encoder.hidden` before
// `hidden`; then by op. The names come from the engine: a step without an entry still works.
// \q \k \v \w \c colour a symbol; \cur marks the term that the step at hand computes; \dim{…}{n} is a size, told
// by its letter until sizes.ts puts the number there.

import { lookups } from '../../store/names';
import type { Pass } from './stops';

const tex = String.raw;

/** A symbol with its shape under it. A size is an axis of the step (`query`) or of an operand (`0.feature`; see sizes.ts). */
function shaped(symbol: string, ...sizes: [ref: string, letter: string][]): string {
  const dims = sizes.map(([ref, letter]) => tex`\dim{${ref}}{${letter}}`).join(tex`\times `);
  return tex`\underset{${dims}}{${symbol}}`;
}

const cur = (what: string): string => tex`\cur{${what}}`;

/** The same for the steps of both halves of a translator. */
function ofBoth(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    ['encoder', 'decoder'].flatMap((side) =>
      Object.entries(entries).map(([name, value]) => [`${side}.${name}`, value]),
    ),
  );
}

/** The same for some steps or modules. */
function ofEach(names: string[], entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(entries).map(([end, value]) => [end === '' ? name : `${name}.${end}`, value]),
    ),
  );
}

// ---- kernel regression

const FORMS = ['average', 'fixed', 'learned', 'kernel'];

const pooled = (weights: string, values: string): string =>
  tex`\hat y(\q{x}) = \textstyle\sum_i ${weights}\; ${values}`;

const REGRESSION: Record<string, string> = {
  'data.x_train': tex`\cur{\k{x}_i \sim U[0, 5)}`,
  'data.y_train': tex`\cur{\v{y}_i} = f(\k{x}_i) + \varepsilon_i`,
  'data.x_test': tex`\cur{\q{x}} = 0,\ 0.1,\ \dots,\ 4.9`,
  'data.truth': tex`\cur{f(\q{x})} = 2\sin \q{x} + \q{x}^{0.8}`,
  distance: tex`\cur{\q{x} - \k{x}_i}`,
  'average.scores': tex`\cur{a(\q{x}, \k{x}_i) = 0}`,
  'fixed.scores': tex`\cur{a(\q{x}, \k{x}_i) = -\tfrac12 (\q{x} - \k{x}_i)^2}`,
  'learned.scores': tex`\cur{a(\q{x}, \k{x}_i) = -\tfrac12 \bigl((\q{x} - \k{x}_i)\,w\bigr)^2}`,
  'learned.w': tex`a(\q{x}, \k{x}_i) = -\tfrac12 \bigl((\q{x} - \k{x}_i)\,\cur{w}\bigr)^2`,
  ...ofEach(FORMS, {
    'weights softmax': pooled(
      cur(tex`\w{\alpha}_i = \operatorname{softmax}_i\, a(\q{x}, \k{x}_i)`),
      tex`\v{y}_i`,
    ),
    prediction: cur(pooled(tex`\w{\alpha}_i`, tex`\v{y}_i`)),
    error: tex`\cur{\tfrac1n \textstyle\sum (\c{\hat y} - f(\q{x}))^2}`,
  }),
  ...ofEach(
    FORMS.map((form) => `train.${form}`),
    { error: tex`\cur{\tfrac1n \textstyle\sum_i (\c{\hat y}(\k{x}_i) - \v{y}_i)^2}` },
  ),
  ...ofEach(
    FORMS.map((form) => `roughness.${form}`),
    { '': tex`\cur{\sqrt{\operatorname{mean}\, (\c{\hat y}'')^2}}` },
  ),
  'kernel.u': tex`\cur{u = \frac{\q{x} - \k{x}_i}{\text{width}}}`,
  'kernel.scores': tex`\cur{a(\q{x}, \k{x}_i) = -\tfrac12 u^2}`,
  'kernel.similarity': tex`\cur{K(u)}`,
  'kernel.total': tex`\w{\alpha}_i = \frac{K(u_i)}{\cur{\sum_j K(u_j)}}`,
  'kernel.weights div': pooled(cur(tex`\w{\alpha}_i = \frac{K(u_i)}{\sum_j K(u_j)}`), tex`\v{y}_i`),
  'kernel.has_data': tex`\cur{\Bigl[\textstyle\sum_j K(u_j) > 0\Bigr]}`,
  'kernel.covered': tex`\cur{\tfrac1n \textstyle\sum_{\q{x}} \Bigl[\sum_j K(u_j) > 0\Bigr]}`,
  'kernel.shape.distance': tex`\cur{\q{x} - \k{x}_i} = -3,\ \dots,\ 3`,
  'kernel.shape.u': tex`\cur{u = \frac{\q{x} - \k{x}_i}{\text{width}}}`,
  'kernel.shape.similarity': tex`\cur{K(u)}`,
};

// ---- encoder and decoder, and the GRU in them

const TRANSLATION: Record<string, string> = {
  'source.ids': tex`\cur{x_1, \dots, x_n}`,
  'source.lengths': tex`x_1, \dots, x_{\cur{n}}`,
  'decoder.previous': tex`\cur{y_{t-1}}`,
  'encoder.embedding embedding': tex`\cur{e_i = E_{x_i}}`,
  'decoder.embedding embedding': tex`\cur{e_t = E_{y_{t-1}}}`,
  ...ofBoth({
    reset: tex`\cur{r_t = \sigma(W_r\, x_t + U_r\, h_{t-1} + b_r)}`,
    update: tex`\cur{z_t = \sigma(W_z\, x_t + U_z\, h_{t-1} + b_z)}`,
    candidate: tex`\cur{n_t = \tanh(W_n\, x_t + b_n + r_t \odot (U_n\, h_{t-1} + b'_n))}`,
    state: tex`\cur{h_t = (1 - z_t) \odot n_t + z_t \odot h_{t-1}}`,
  }),
  'encoder.hidden': tex`\cur{\k{h}_1, \dots, \k{h}_n}`,
  'decoder.logits': tex`P(y_t) = \operatorname{softmax}(\cur{o_t = W\, s_t + b})`,
  'decoder.probabilities': tex`\cur{P(y_t) = \operatorname{softmax}(o_t)}`,
  'decoder.wanted': tex`-\ln P(\cur{y_t})`,
  'decoder.loss': tex`L = \tfrac1T \textstyle\sum_t \cur{-\ln P(y_t)}`,
  'kernel-regression:loss': tex`\cur{L = \textstyle\sum_i (\c{\hat y}(\k{x}_i) - \v{y}_i)^2}`,
  'loss mean': tex`\cur{L = -\tfrac1T \textstyle\sum_t \ln P(y_t)}`,
  'seq2seq:decoder.context': tex`\cur{\c{c} = h_n}`,
  'seq2seq:decoder.gru_input': tex`\cur{[\,e_{t-1}\,;\, \c{c}\,]}`,
  'seq2seq:encoder.hidden': tex`\cur{h_1, \dots, h_n}`,
  'decoder.gru_input': tex`\cur{[\,\c{c}_t\,;\, e_{t-1}\,]}`,
};

// ---- additive attention

const QUERY = tex`\q{s}_{t-1}`;
const SCORE = tex`a(${QUERY}, \k{h}_i)`;
const INNER = tex`\tanh(W_q\, ${QUERY} + W_k\, \k{h}_i)`;
const ADDED = (score: string): string => tex`${SCORE} = ${score}`;

const ADDITIVE: Record<string, string> = {
  'decoder.keys_projected': ADDED(
    tex`w_v^\top \tanh(W_q\, ${QUERY} + \cur{W_k\, ${shaped(tex`\k{h}_i`, ['feature', 'h'])}})`,
  ),
  'decoder.query': cur(shaped(QUERY, ['hidden', 'h'])),
  'decoder.query_projected': ADDED(
    tex`w_v^\top \tanh(\cur{W_q\, ${shaped(QUERY, ['feature', 'h'])}} + W_k\, \k{h}_i)`,
  ),
  'decoder.features': ADDED(tex`w_v^\top\, \cur{${INNER}}`),
  'decoder.scores': cur(ADDED(tex`w_v^\top ${INNER}`)),
  'decoder.scores scale': cur(ADDED(tex`\frac{${QUERY}^\top \k{h}_i}{\sqrt d}`)),
  'decoder.weights': tex`\c{c}_t = \textstyle\sum_i \cur{\w{\alpha}_{t,i} = \operatorname{softmax}_i\, ${SCORE}}\; \v{h}_i`,
  'decoder.context': tex`\cur{\c{c}_t = \textstyle\sum_i \w{\alpha}_{t,i}\, \v{h}_i}`,
};

// ---- scoring functions side by side

const PAIRED = tex`a(\q{q}, \k{k})`;
const PROJECTED = tex`W_q\, \q{q} + W_k\, \k{k}`;
const WEIGHED = tex`\c{c} = \textstyle\sum_i \cur{\w{\alpha}_i = \operatorname{softmax}_i\, a(\q{q}, \k{k}_i)}\; \v{v}_i`;

const SCORING: Record<string, string> = {
  'additive.query_projected': tex`${PAIRED} = w_v^\top \tanh(\cur{W_q\, \q{q}} + W_k\, \k{k})`,
  'additive.keys_projected': tex`${PAIRED} = w_v^\top \tanh(W_q\, \q{q} + \cur{W_k\, \k{k}})`,
  'additive.features': tex`${PAIRED} = w_v^\top\, \cur{\tanh(${PROJECTED})}`,
  'additive.scores': tex`\cur{${PAIRED} = w_v^\top \tanh(${PROJECTED})}`,
  'dot.raw': tex`${PAIRED} = \frac{\cur{\q{q}^\top \k{k}}}{\sqrt d}`,
  'dot.scores': tex`\cur{${PAIRED} = \frac{\q{q}^\top \k{k}}{\sqrt d}}`,
  'sum.scores': tex`\cur{${PAIRED} = \textstyle\sum_j (\q{q}_j + \k{k}_j)}`,
  'bilinear.projected': tex`${PAIRED} = \cur{\q{q}^\top M}\, \k{k}`,
  'bilinear.scores': tex`\cur{${PAIRED} = \q{q}^\top M\, \k{k}}`,
  ...ofEach(['additive', 'dot', 'sum', 'bilinear'], {
    'weights masked_softmax': WEIGHED,
    context: tex`\cur{\c{c} = \textstyle\sum_i \w{\alpha}_i\, \v{v}_i}`,
  }),
};

// ---- the Transformer

const HEADS = ['encoder.attention', 'decoder.self', 'decoder.cross'];
const Q = shaped(tex`\q{Q}`, ['query', 'n'], ['0.0.feature', 'd']);
const K = shaped(tex`\k{K}`, ['key', 'm'], ['0.1.feature', 'd']);
const V = shaped(tex`\v{V}`, ['0.key', 'm'], ['feature', 'd']);
const SHARES = tex`\operatorname{softmax}\Bigl(\frac{\q{Q}\,\k{K}^\top}{\sqrt d}\Bigr)`;

/** What one head reads: its own columns of a projection. */
const projected = (symbol: string, matrix: string, rows: string, letter: string): string =>
  cur(tex`${shaped(symbol, [rows, letter], ['feature', 'd'])} = X\, ${matrix}^\top`);

const AROUND = 'x + f(x)';
const SUBLAYER: Record<string, string> = ofEach(['encoder.addnorm', 'decoder.addnorm'], {
  sum: tex`\operatorname{LayerNorm}\bigl(\cur{${AROUND}}\bigr)`,
  '': tex`\cur{\operatorname{LayerNorm}\bigl(${AROUND}\bigr) = \gamma\, \frac{z - \bar z}{\sqrt{\sigma^2 + \varepsilon}} + \beta}`,
  normed: tex`x + f\bigl(\cur{\operatorname{LayerNorm}(x)}\bigr)`,
});

const TRANSFORMER: Record<string, string> = {
  ...ofBoth({
    scaled: tex`x_i = \cur{\sqrt{h}\; e_i} + p_i`,
    positions: tex`\cur{p_{i,2j} = \sin \frac{i}{10000^{2j/h}},\quad p_{i,2j+1} = \cos \frac{i}{10000^{2j/h}}}`,
    'positions slice': tex`\cur{p_i = P_i}`,
    input: tex`\cur{x_i = \sqrt{h}\; e_i}`,
    'input add': tex`\cur{x_i = \sqrt{h}\; e_i + p_i}`,
    'input concat': tex`\cur{x_i = [\,\sqrt{h}\; e_i\,;\, p_i\,]}`,
    'end.normed': tex`\cur{\operatorname{LayerNorm}(x)}`,
    'ffn.hidden': tex`W_2\, \cur{\max(0,\, W_1\, x + b_1)} + b_2`,
    'ffn.output': tex`\cur{W_2 \max(0,\, W_1\, x + b_1) + b_2}`,
  }),
  ...ofEach(HEADS, {
    queries: projected(tex`\q{Q}`, tex`W_{\!q}`, 'query', 'n'),
    keys: projected(tex`\k{K}`, tex`W_{\!k}`, 'key', 'm'),
    values: projected(tex`\v{V}`, tex`W_{\!v}`, 'key', 'm'),
    scores: tex`\operatorname{softmax}\Bigl(\cur{\frac{${Q}\;${K}^{\top}}{\sqrt d}}\Bigr)\, \v{V}`,
    weights: tex`\cur{${shaped(tex`\w{A}`, ['query', 'n'], ['key', 'm'])} = ${SHARES}}\, \v{V}`,
    context: cur(
      tex`${shaped(tex`\c{C}`, ['query', 'n'], ['feature', 'd'])} = ${shaped(SHARES, ['query', 'n'], ['0.key', 'm'])}\; ${V}`,
    ),
    switches: tex`\cur{s_\text{head}}\, \c{C}_\text{head}`,
    kept: tex`\cur{s_\text{head}\, \c{C}_\text{head}}`,
    output: cur(
      tex`${shaped('O', ['query', 'n'], ['feature', 'h'])} = [\,\c{C}_1\,;\, \dots\,;\, \c{C}_H\,]\, W_{\!o}^\top`,
    ),
  }),
  ...SUBLAYER,
  'encoder.addnorm add': tex`\cur{${AROUND}}`,
  'decoder.addnorm add': tex`\cur{${AROUND}}`,
  'transformer:decoder.logits': tex`P(y_t) = \operatorname{softmax}(\cur{o_t = W\, x_t + b})`,
};

// ---- the optimiser

const ADAM = (m: string, v: string): string =>
  tex`\theta_t = \theta_{t-1} - \eta\, \frac{${m}}{\sqrt{${v}} + \varepsilon}`;

// ---- two heads set by hand, and features shared out among heads

const BY_HAND: Record<string, string> = {
  'single.scores': tex`\cur{a_A(\q{q}, \k{k}) + a_B(\q{q}, \k{k})}`,
  'single.weights': tex`\cur{\w{\alpha}_i = \operatorname{softmax}_i\, (a_A + a_B)}`,
  'single.output': tex`\cur{\c{c} = \textstyle\sum_i \w{\alpha}_i\, \v{v}_i}`,
};

const UPDATE: Record<string, string> = {
  'update.gradient': tex`\cur{g = \grad{\theta}}`,
  'update.squares': tex`\lVert g \rVert = \sqrt{\textstyle\sum_i \cur{\sum_j g_{ij}^2}}`,
  'update.sum_of_squares': tex`\lVert g \rVert = \sqrt{\textstyle\sum_\theta \cur{\sum_i g_i^2}}`,
  'update.norm': tex`\cur{\lVert g \rVert = \sqrt{\textstyle\sum_\theta \sum_i g_i^2}}`,
  'update.clip': tex`\hat g = \cur{\frac{\text{limit}}{\max(\text{limit},\, \lVert g \rVert)}}\; g`,
  'update.clipped': tex`\cur{\hat g = \frac{\text{limit}}{\max(\text{limit},\, \lVert g \rVert)}\; g}`,
  'update.t': tex`1 - \beta^{\cur{t}}`,
  'update.correction1': tex`\hat m_t = \frac{m_t}{\cur{1 - \beta_1^t}}`,
  'update.correction2': tex`\hat v_t = \frac{v_t}{\cur{1 - \beta_2^t}}`,
  'update.m_before': tex`m_t = \beta_1\, \cur{m_{t-1}} + (1 - \beta_1)\, g`,
  'update.v_before': tex`v_t = \beta_2\, \cur{v_{t-1}} + (1 - \beta_2)\, g^2`,
  'update.m': tex`\cur{m_t = \beta_1\, m_{t-1} + (1 - \beta_1)\, g}`,
  'update.v': tex`\cur{v_t = \beta_2\, v_{t-1} + (1 - \beta_2)\, g^2}`,
  'update.m_hat': ADAM(cur(tex`\hat m_t`), tex`\hat v_t`),
  'update.v_hat': ADAM(tex`\hat m_t`, cur(tex`\hat v_t`)),
  'update.value adam': cur(ADAM(tex`\hat m_t`, tex`\hat v_t`)),
  'update.value sgd': tex`\cur{\theta_t = \theta_{t-1} - \eta\, g}`,
};

const BY_STEP: Record<string, string> = {
  ...REGRESSION,
  ...TRANSLATION,
  ...ADDITIVE,
  ...SCORING,
  ...TRANSFORMER,
  ...BY_HAND,
  ...UPDATE,
};

// ---- ops, forward and backward

const NORM = tex`\frac{x - \bar x}{\sqrt{\sigma^2 + \varepsilon}}`;
const PAIR = (sign: string): string => tex`\cur{y = a ${sign} b}`;

const BY_OP: Record<string, string> = {
  add: PAIR('+'),
  sub: PAIR('-'),
  mul: PAIR(tex`\cdot`),
  div: tex`\cur{y = \frac ab}`,
  max: tex`\cur{y = \max(a, b)}`,
  min: tex`\cur{y = \min(a, b)}`,
  pow: tex`\cur{y = a^b}`,
  scale: tex`\cur{y = c\, x}`,
  square: tex`\cur{y = x^2}`,
  neg: tex`\cur{y = -x}`,
  exp: tex`\cur{y = e^x}`,
  log: tex`\cur{y = \ln x}`,
  sqrt: tex`\cur{y = \sqrt x}`,
  sin: tex`\cur{y = \sin x}`,
  cos: tex`\cur{y = \cos x}`,
  tanh: tex`\cur{y = \tanh x}`,
  sigmoid: tex`\cur{y = \sigma(x) = \frac{1}{1 + e^{-x}}}`,
  relu: tex`\cur{y = \max(0, x)}`,
  abs: tex`\cur{y = \lvert x \rvert}`,
  step: tex`\cur{y = [\,x > 0\,]}`,
  matmul: tex`\cur{Y = A\,B}`,
  matmul_transposed: tex`\cur{Y = A\,B^\top}`,
  linear: tex`\cur{Y = X\,W^\top + b}`,
  reshape: tex`\cur{y = x}`,
  transpose: tex`\cur{Y_{ij} = X_{ji}}`,
  slice: tex`\cur{y_i = x_{a + i}}`,
  select: tex`\cur{y = x_a}`,
  concat: tex`\cur{y = [\,a\,;\, b\,]}`,
  stack: tex`\cur{Y = (x_1, \dots, x_n)}`,
  last_valid: tex`\cur{y = x_n}`,
  sum: tex`\cur{y = \textstyle\sum_i x_i}`,
  mean: tex`\cur{y = \tfrac1n \textstyle\sum_i x_i}`,
  layer_norm: tex`\cur{y = \gamma\, ${NORM} + \beta}`,
  batch_norm: tex`\cur{y = \gamma\, ${NORM} + \beta}`,
  softmax: tex`\cur{p_i = \frac{e^{x_i}}{\sum_j e^{x_j}}}`,
  masked_softmax: tex`\cur{p_i = \frac{e^{x_i}}{\sum_{j \le n} e^{x_j}}}`,
  embedding: tex`\cur{y_i = E_{x_i}}`,
  cross_entropy: tex`\cur{\ell = \ln \textstyle\sum_j e^{x_j} - x_y}`,
  gru_gates: tex`\cur{h_t = (1 - z_t) \odot n_t + z_t \odot h_{t-1}}`,
  dropout: tex`\cur{y_i = \frac{m_i\, x_i}{1 - p}}`,
  attention: tex`\cur{\c{C} = ${SHARES}\, \v{V}}`,
};

/** The gradient at hand is marked; the formula says how the op hands it on to what it was computed from. */
const HERE = tex`\cur{\grad{y}}`;
const HERE_MATRIX = tex`\cur{\grad{Y}}`;
const through = (slope: string): string => tex`\grad{x} = ${HERE}\, ${slope}`;
const toBoth = (a: string, b: string): string => tex`\grad{a} = ${a},\qquad \grad{b} = ${b}`;
const NORM_BACK = tex`\grad{x} = \frac{1}{\sqrt{\sigma^2 + \varepsilon}} \Bigl(d - \bar d - n\, \overline{n\, d}\Bigr),\quad d = \gamma\, ${HERE},\quad n = ${NORM}`;
const SOFTMAX_BACK = tex`\grad{x_i} = p_i \Bigl(\cur{\grad{p_i}} - \textstyle\sum_j p_j \grad{p_j}\Bigr)`;
const MOVED = tex`\grad{x} = ${HERE}`;

const BACKWARD: Record<string, string> = {
  add: toBoth(HERE, HERE),
  sub: toBoth(HERE, tex`-${HERE}`),
  mul: toBoth(tex`${HERE}\, b`, tex`${HERE}\, a`),
  div: toBoth(tex`${HERE}\, \frac1b`, tex`-${HERE}\, \frac{a}{b^2}`),
  max: toBoth(tex`${HERE}\, [a > b]`, tex`${HERE}\, [b > a]`),
  min: toBoth(tex`${HERE}\, [a < b]`, tex`${HERE}\, [b < a]`),
  pow: toBoth(tex`${HERE}\, b\, a^{b-1}`, tex`${HERE}\, a^b \ln a`),
  scale: through('c'),
  square: through(tex`\cdot\, 2x`),
  neg: tex`\grad{x} = -${HERE}`,
  exp: through('y'),
  log: through(tex`\frac1x`),
  sqrt: through(tex`\frac{1}{2y}`),
  sin: through(tex`\cos x`),
  cos: tex`\grad{x} = -${HERE}\, \sin x`,
  tanh: through('(1 - y^2)'),
  sigmoid: through('y\\,(1 - y)'),
  relu: through('[\\,x > 0\\,]'),
  abs: through(tex`\operatorname{sign} x`),
  step: tex`\grad{x} = 0`,
  matmul: tex`\grad{A} = ${HERE_MATRIX}\, B^\top,\qquad \grad{B} = A^\top\, ${HERE_MATRIX}`,
  matmul_transposed: tex`\grad{A} = ${HERE_MATRIX}\, B,\qquad \grad{B} = {${HERE_MATRIX}}^{\top} A`,
  linear: tex`\grad{X} = ${HERE_MATRIX}\, W,\quad \grad{W} = {${HERE_MATRIX}}^{\top} X,\quad \grad{b} = \textstyle\sum_i \cur{\grad{Y_i}}`,
  reshape: MOVED,
  transpose: tex`\grad{X_{ji}} = \cur{\grad{Y_{ij}}}`,
  slice: tex`\grad{x_{a+i}} = \cur{\grad{y_i}}`,
  select: tex`\grad{x_a} = ${HERE}`,
  concat: tex`\Bigl[\,\grad{a}\,;\, \grad{b}\,\Bigr] = ${HERE}`,
  stack: tex`\grad{x_i} = \cur{\grad{Y_i}}`,
  last_valid: tex`\grad{x_n} = ${HERE}`,
  sum: tex`\grad{x_i} = ${HERE}`,
  mean: tex`\grad{x_i} = \tfrac1n\, ${HERE}`,
  layer_norm: NORM_BACK,
  batch_norm: NORM_BACK,
  softmax: SOFTMAX_BACK,
  masked_softmax: SOFTMAX_BACK,
  embedding: tex`\grad{E_w} = \textstyle\sum_{i:\, x_i = w} \cur{\grad{y_i}}`,
  cross_entropy: tex`\grad{x_j} = \cur{\grad{\ell}}\, \bigl(p_j - [\,j = y\,]\bigr)`,
  gru_gates: tex`\grad{h_{t-1}} = \cur{\grad{h_t}} \odot z_t,\qquad \grad{n_t} = \cur{\grad{h_t}} \odot (1 - z_t)`,
  dropout: tex`\grad{x_i} = \cur{\grad{y_i}}\, \frac{m_i}{1 - p}`,
  attention: tex`\grad{\v{V}} = \w{A}^\top \cur{\grad{\c{C}}},\qquad \grad{\w{A}} = \cur{\grad{\c{C}}}\, \v{V}^\top`,
};

const prefixed = (prefix: string, entries: Record<string, string>): [string, string][] =>
  Object.entries(entries).map(([op, formula]) => [`${prefix} ${op}`, formula]);

/** By the key of a step or of an op, as TeX; pages/formulas.ts sets them. */
export const FORMULAS: Record<string, string> = {
  ...Object.fromEntries(prefixed('op', BY_OP)),
  ...Object.fromEntries(prefixed('backward', BACKWARD)),
  ...BY_STEP,
};

/** Under which key `FORMULAS` has the formula of a step; `model` where one name has two meanings. */
export function formulaKey(
  name: string,
  op: string,
  pass: Pass = 'forward',
  model = '',
): string | undefined {
  const keys =
    pass === 'backward'
      ? [`backward ${op}`]
      : [...lookups(name, op, model === '' ? [] : [model]), `op ${op}`];
  return keys.find((key) => Object.hasOwn(FORMULAS, key));
}
