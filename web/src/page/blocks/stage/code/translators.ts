// Lines of what all translators do, and of seq2seq and Bahdanau.

import { cpp, lines, ofEach, py, type Anchor, type Lines, type Table } from './lines';

const modules = py('modules');
const walk = py('step_goldens');

const translating = cpp('models/translating');

export const TRANSLATION: Table = {
  'source.ids': lines(
    walk('ids = goldens.padded([source], num_steps if book.reads_padding else None)'),
    translating('const Var words = graph.input("source.ids"'),
  ),
  'source.lengths': lines(
    walk('lengths = torch.tensor([len(source)])'),
    translating('const Var lengths = graph.input("source.lengths"'),
  ),
  'decoder.previous': lines(
    walk('step("decoder.previous", torch.tensor([word]))'),
    translating('const Var word = graph.input("decoder.previous", {"batch"}', undefined),
  ),
  'decoder.probabilities': lines(
    walk('step("decoder.logits", logits), step("decoder.probabilities"'),
    translating(
      'const Var probabilities = graph.name(softmax(logits), "decoder.probabilities", {"batch", "vocabulary"});',
    ),
  ),
  'decoder.wanted': lines(
    walk('step("decoder.wanted", torch.tensor([word]))'),
    translating('const Var right = graph.input("decoder.wanted", {"batch"}'),
  ),
  'decoder.loss': lines(
    walk('losses.append(F.cross_entropy(logits, torch.tensor([word])'),
    translating(
      'losses.push_back(graph.name(cross_entropy(logits, right), "decoder.loss", {"batch"}));',
    ),
  ),
  'loss mean': lines(
    walk('step.known("loss", torch.stack(losses).mean())'),
    translating('result.loss = graph.name(mean(stack(losses, 0)), "loss", {});'),
  ),
  // A Transformer that is given its words writes them in one pass.
  'once:decoder.previous': lines(
    walk('words, wanted = torch.tensor([[goldens.BOS] + given[:-1]])'),
    translating('const Var words = graph.input("decoder.previous", {"batch", "query"}'),
  ),
  'once:decoder.probabilities': lines(
    walk('    step("decoder.probabilities", logits.softmax(dim=-1))\n'),
    translating('"decoder.probabilities", {"batch", "query", "vocabulary"});'),
  ),
  'once:decoder.wanted': lines(
    walk('words, wanted = torch.tensor([[goldens.BOS] + given[:-1]])'),
    translating('const Var right = graph.input("decoder.wanted", {"batch", "query"}'),
  ),
  'once:decoder.loss': lines(
    walk('losses = F.cross_entropy(logits.transpose(1, 2), wanted, reduction="none")'),
    translating(
      'return {graph.name(cross_entropy(logits, right), "decoder.loss", {"batch", "query"})};',
    ),
  ),
  'once:loss mean': lines(
    walk('step("loss", losses.mean())'),
    translating('result.loss = graph.name(mean(stack(losses, 0)), "loss", {});'),
  ),
};

const recurrent = cpp('models/recurrent');
const gru = cpp('nn/gru');
const linear = cpp('nn/linear');
const attention = cpp('nn/attention');

export const DENSE_MADE = linear('weight.value = xavier_uniform(out, in, rng);');
export const BIAS_MADE = linear('if (with_bias) bias.value = uniform({out}');
export const TABLE_MADE = linear('weight.value = Tensor({vocabulary, size});');
const RNN = 'self.rnn = nn.GRU(';
const FEATURES = modules('features = torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)');

const embedded = (theirs: Anchor, anchor: string, word: string): Lines =>
  lines(
    theirs,
    recurrent(`const Var embedded = graph.name(embedding${word}(ids), "embedding"`, anchor),
  );

const GRU: Table = {
  reset: lines(
    walk('reset, update = torch.sigmoid(i_r + h_r)'),
    gru('const Var reset = named(sigmoid('),
  ),
  update: lines(
    walk('reset, update = torch.sigmoid(i_r + h_r)'),
    gru('const Var update = named(sigmoid('),
  ),
  candidate: lines(
    walk('candidate = torch.tanh(i_n + reset * h_n)'),
    gru('const Var candidate = named(tanh('),
  ),
  state: lines(
    walk('state = (1 - update) * candidate + update * state'),
    gru('return named(candidate + update * (hidden - candidate), "state");'),
  ),
};

const gruParameters = (anchor: string): Table => ({
  'rnn.weight_ih': lines(modules(RNN, anchor), gru('weight_ih.value = xavier_uniform(')),
  'rnn.weight_hh': lines(modules(RNN, anchor), gru('weight_hh.value = xavier_uniform(')),
  'rnn.bias_ih': lines(modules(RNN, anchor), gru('bias_ih.value = uniform(')),
  'rnn.bias_hh': lines(modules(RNN, anchor), gru('bias_hh.value = uniform(')),
});

const decoderParameters = (model: string, anchor: string): Table => ({
  ...ofEach([`${model}:decoder`], gruParameters(anchor)),
  [`${model}:decoder.embedding.weight`]: lines(
    modules('self.embedding = nn.Embedding(', anchor),
    TABLE_MADE,
  ),
  [`${model}:decoder.dense.weight`]: lines(
    modules('self.dense = nn.Linear(num_hiddens, vocab)', anchor),
    DENSE_MADE,
  ),
  [`${model}:decoder.dense.bias`]: lines(
    modules('self.dense = nn.Linear(num_hiddens, vocab)', anchor),
    BIAS_MADE,
  ),
});

export const RECURRENT: Table = {
  'encoder.embedding embedding': embedded(
    modules('embedded = self.embedding(ids)', 'encoder'),
    'encoder',
    '',
  ),
  ...ofEach(['encoder', 'decoder'], GRU),
  'encoder.hidden': lines(
    modules('outputs, state = self.rnn(packed)'),
    gru('outputs.push_back(graph.name(stack(steps, 1), "hidden"'),
  ),
  'encoder.embedding.weight': lines(
    modules('self.embedding = nn.Embedding(', 'encoder'),
    TABLE_MADE,
  ),
  ...ofEach(['encoder'], gruParameters('encoder')),

  'seq2seq:decoder.embedding embedding': embedded(
    modules('embedded = self.embedding(ids)', 'seq2seq_decoder'),
    'seq2seq_step',
    '_',
  ),
  'seq2seq:decoder.context': lines(
    modules('return state, state[-1]'),
    recurrent('const Var fixed = graph.name(reshape(context(state)'),
  ),
  'seq2seq:decoder.gru_input': lines(
    modules('torch.cat([embedded, repeated], dim=-1)'),
    recurrent('const Var input = graph.name(concat({embedded, fixed}, 1)'),
  ),
  'seq2seq:decoder.logits': lines(
    modules('return self.dense(outputs), (state, context)'),
    recurrent('return graph.name(dense_(top), "logits"'),
  ),
  ...decoderParameters('seq2seq', 'seq2seq_decoder'),

  'bahdanau:decoder.embedding embedding': embedded(
    modules('for embedded in self.embedding(ids).unbind(dim=1)'),
    'bahdanau_step',
    '_',
  ),
  'bahdanau:decoder.gru_input': lines(
    modules('step = torch.cat([context, embedded[:, None]], dim=-1)'),
    recurrent('const Var input = graph.name(concat({found, embedded}, 1)'),
  ),
  'bahdanau:decoder.logits': lines(
    modules('return self.dense(torch.cat(outputs, dim=1))'),
    recurrent('return graph.name(dense_(advance(embedded, state)), "logits"'),
  ),
  ...decoderParameters('bahdanau', 'bahdanau_decoder'),
};

export const ADDITIVE: Table = {
  'decoder.query': lines(
    modules('query = state[-1][:, None]'),
    recurrent('const Var query = graph.name(reshape(before'),
  ),
  keys_projected: lines(
    FEATURES,
    attention('return keys.graph().name(W_k(keys), "keys_projected"'),
  ),
  query_projected: lines(
    FEATURES,
    attention('const Var projected = graph.name(W_q(queries), "query_projected"'),
  ),
  'features tanh': lines(FEATURES, attention('const Var features = graph.name(tanh(sums)')),
  'scores linear': lines(
    modules('scores = self.w_v(features).squeeze(-1)'),
    attention('const Var scores = graph.name(reshape(w_v(features)'),
  ),
  'decoder.weights': lines(
    modules('self.weights = masked_softmax(scores, lengths, self.finite_mask)'),
    attention('const Var weights = graph.name(masked_softmax(', 'additive_attention'),
  ),
  'decoder.context': lines(
    modules('return self.dropout(self.weights) @ values'),
    attention(
      'return graph.name(matmul(attn::dropout(weights, dropout), values)',
      'additive_attention',
    ),
  ),
  'decoder.attention.W_q.weight': lines(modules('self.W_q = nn.Linear('), DENSE_MADE),
  'decoder.attention.W_k.weight': lines(modules('self.W_k = nn.Linear('), DENSE_MADE),
  'decoder.attention.w_v.weight': lines(modules('self.w_v = nn.Linear('), DENSE_MADE),
};
