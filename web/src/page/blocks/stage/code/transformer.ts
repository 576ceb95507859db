// Lines of the Transformer.

import { cpp, lines, ofEach, py, type Table } from './lines';
import { BIAS_MADE, DENSE_MADE, TABLE_MADE } from './translators';

const transformer = py('transformer');
const attention = cpp('nn/attention');

const heads = cpp('nn/multi_head');
const input = cpp('models/transformer');
const norm = cpp('nn/norm');
const positions = cpp('nn/positions');
const ffn = cpp('nn/transformer');

const SCORES = lines(
  transformer('scores = queries @ keys.transpose(-2, -1)'),
  attention('return scale(matmul_transposed(queries, keys)'),
);
const PROJECTED = lines(
  transformer('return KeyValues(self.W_k(keys), self.W_v(values))'),
  heads('const Vars out = at_once({{W_k, keys}, {W_v, values}});'),
);
const FFN = 'return self.dense2(self.relu(self.dense1(x)))';

const MULTI_HEAD: Table = {
  queries: lines(
    transformer('q, k, v = (split_heads(x, self.num_heads) for x in (self.W_q(queries)'),
    heads('const Var queries = graph.name(split_heads(projected, heads), "queries"'),
  ),
  keys: PROJECTED,
  values: PROJECTED,
  scores: SCORES,
  'scores add': lines(
    transformer('scores = queries @ keys.transpose(-2, -1)'),
    attention('const Var scores = graph.name(extra ? products + extra : products'),
  ),
  weights: lines(
    transformer('self.weights = masked_softmax('),
    attention('const Var weights = graph.name(masked_softmax(', 'dot_product_attention'),
  ),
  context: lines(
    transformer('return self.dropout(self.weights) @ values'),
    attention(
      'return graph.name(matmul(attn::dropout(weights, dropout), values)',
      'dot_product_attention',
    ),
  ),
  switches: lines([], heads('const Var switches = graph.input("switches"')),
  kept: lines([], heads('return graph.name(found * switches, "kept"')),
  output: lines(
    transformer('return self.W_o(merge_heads('),
    heads('const Var output = W_o(context('),
  ),
};

const ADD_NORM: Table = {
  '': lines(
    transformer('return self.ln(y) if self.norm == "post" else y'),
    norm('return graph.name(ln(named_part(sum, name, ".sum")), name, axes);'),
  ),
  sum: lines(transformer('y = x + y'), norm('const Var sum = residual ? x + dropped : dropped;')),
  normed: lines(
    transformer('y = self.dropout(sublayer(self.ln(x) if self.norm == "pre" else x))'),
    norm('return place == NormPlace::pre ? named_part(ln(x), name, ".normed") : x;'),
  ),
  'ln.weight': lines(
    transformer('self.ln = nn.LayerNorm(size)'),
    norm('weight.value = Tensor::full(shape, 1.0F);'),
  ),
  'ln.bias': lines(
    transformer('self.ln = nn.LayerNorm(size)'),
    norm('bias.value = Tensor::zeros(shape);'),
  ),
};

export const TRANSFORMER: Table = {
  ...ofEach(['transformer:encoder', 'transformer:decoder'], {
    'embedding embedding': lines(
      transformer('scaled = self.embedding(ids) * self.scale'),
      input('const Var embedded = graph.name(embedding(ids), "embedding", axes);'),
    ),
    scaled: lines(
      transformer('scaled = self.embedding(ids) * self.scale'),
      input('const Var scaled = factor == 1.0F'),
    ),
    positions: lines(
      transformer('rows = self.weight[offset:end]'),
      positions('const Var p = graph.name(positions(graph, first, count, width), "positions"'),
    ),
    input: lines(
      transformer(
        'return self.dropout(torch.cat([x, rows.expand(x.shape)], -1) if self.join else x + rows)',
      ),
      input('return graph.name(position(scaled, first), "input", axes);'),
    ),
    'input add': lines(
      transformer(
        'return self.dropout(torch.cat([x, rows.expand(x.shape)], -1) if self.join else x + rows)',
      ),
      positions('if (!joined) return attn::dropout(x + p, dropout);'),
    ),
    'end.normed': lines(
      transformer('return nn.LayerNorm(self.width) if self.norm == "pre" else nn.Identity()'),
      norm('return place == NormPlace::pre ? named_part(ln(x), name, ".normed") : x;'),
    ),
    'ffn.hidden': lines(
      transformer(FFN),
      ffn('const Var hidden = graph.name(relu(dense1(x)), "hidden", axes);'),
    ),
    'ffn.output': lines(
      transformer(FFN),
      ffn('return graph.name(dense2(hidden), "output", axes);'),
    ),
    'embedding.weight': lines(transformer('self.embedding = nn.Embedding('), TABLE_MADE),
    'pos_encoding.weight': lines(
      transformer('self.weight = nn.Parameter(torch.randn(max_len, num_hiddens))'),
      positions('rng.fill_normal(weight.value, std::sqrt(0.5F));'),
    ),
    'ln.weight': lines(
      transformer('return nn.LayerNorm(self.width) if self.norm == "pre" else nn.Identity()'),
      norm('weight.value = Tensor::full(shape, 1.0F);'),
    ),
    'ln.bias': lines(
      transformer('return nn.LayerNorm(self.width) if self.norm == "pre" else nn.Identity()'),
      norm('bias.value = Tensor::zeros(shape);'),
    ),
  }),
  ...ofEach(['encoder.attention', 'decoder.self', 'decoder.cross'], MULTI_HEAD),
  ...ofEach(['addnorm'], ADD_NORM),
  'addnorm add': lines(
    transformer('y = x + y'),
    norm('const Var sum = residual ? x + dropped : dropped;'),
  ),
  'decoder.lengths': lines(
    transformer('return torch.arange(m - n + 1, m + 1).expand(batch, n)'),
    input('return graph.input("lengths", {"batch", "query"}, std::move(visible));'),
  ),
  'transformer:decoder.logits': lines(
    transformer('return self.dense(self.ln(x)), (known, sources, lengths)'),
    input('return dense_(wanted_rows(decoder_end_.before(x, "end"), rows));'),
  ),
  'transformer:decoder.dense.weight': lines(
    transformer('self.dense = nn.Linear(form.width, vocab)'),
    DENSE_MADE,
  ),
  'transformer:decoder.dense.bias': lines(
    transformer('self.dense = nn.Linear(form.width, vocab)'),
    BIAS_MADE,
  ),
  'W_q.weight': lines(
    transformer('self.W_q = nn.Linear('),
    heads('W_q = Linear(s.query, s.hidden, s.bias, rng);'),
  ),
  'W_k.weight': lines(
    transformer('self.W_k = nn.Linear('),
    heads('W_k = Linear(s.key, s.hidden, s.bias, rng);'),
  ),
  'W_v.weight': lines(
    transformer('self.W_v = nn.Linear('),
    heads('W_v = Linear(s.value, s.hidden, s.bias, rng);'),
  ),
  'W_o.weight': lines(
    transformer('self.W_o = nn.Linear('),
    heads('W_o = Linear(s.hidden, s.hidden, s.bias, rng);'),
  ),
  'relative.weight': lines(
    transformer('self.weight = nn.Parameter(torch.randn(2 * reach + 1, size))'),
    positions('weight.value = xavier_uniform(2 * reach + 1'),
  ),
  'dense1.weight': lines(
    transformer('self.dense1 = nn.Linear(num_inputs, num_hiddens)'),
    DENSE_MADE,
  ),
  'dense1.bias': lines(transformer('self.dense1 = nn.Linear(num_inputs, num_hiddens)'), BIAS_MADE),
  'dense2.weight': lines(
    transformer('self.dense2 = nn.Linear(num_hiddens, num_outputs)'),
    DENSE_MADE,
  ),
  'dense2.bias': lines(transformer('self.dense2 = nn.Linear(num_hiddens, num_outputs)'), BIAS_MADE),
};
