#include "models/recurrent.hpp"

#include "ops/layout.hpp"
#include "ops/pick.hpp"

namespace attn::models {

RecurrentEncoder::RecurrentEncoder(const NetSizes& s, bool padding, Rng& rng)
    : embedding(s.source_words, s.embed, rng),
      rnn(s.embed, s.hidden, s.layers, s.dropout, rng),
      reads_padding(padding) {}

// [anchor: encoder]
Encoded RecurrentEncoder::operator()(const Var& ids, const Var& lengths) {
  Graph& graph = ids.graph();
  const auto scope = graph.scope("encoder");
  const Var embedded = graph.name(embedding(ids), "embedding", {"batch", "key", "feature"});
  nn::GRU::State state = rnn.zero_state(graph, ids.size(0));
  const Vars outputs = rnn.sequence(embedded, state, "key");
  if (!reads_padding)
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = last_valid(outputs[i], lengths);
  return {outputs.back(), state, lengths};
}
// [anchor end]

void RecurrentEncoder::visit(const std::string& path, const nn::Visitor& f) {
  embedding.visit(path + ".embedding", f);
  rnn.visit(path + ".rnn", f);
}

Seq2Seq::Seq2Seq(const NetSizes& s, const BookFaults& book, Rng& rng)
    : encoder_(s, book.padding, rng),
      embedding_(s.target_words, s.embed, rng),
      rnn_(s.embed + s.hidden, s.hidden, s.layers, s.dropout, rng),
      dense_(s.hidden, s.target_words, true, rng),
      drifts_(book.context) {}

Decoding Seq2Seq::start(const Encoded& encoded) {
  Decoding state;
  state.hidden = encoded.state;
  state.context = encoded.state.back();
  return state;
}

// [anchor: seq2seq_step]
Var Seq2Seq::step(const Var& ids, Decoding& state) {
  Graph& graph = ids.graph();
  const auto scope = graph.scope("decoder");
  const Var embedded = graph.name(embedding_(ids), "embedding", {"batch", "feature"});
  const Var fixed = graph.name(reshape(context(state), context(state).shape()), "context", {"batch", "hidden"});
  const Var input = graph.name(concat({embedded, fixed}, 1), "gru_input", {"batch", "feature"});
  const Var top = rnn_.step(input, state.hidden);
  return graph.name(dense_(top), "logits", {"batch", "vocabulary"});
}
// [anchor end]

Var Seq2Seq::teacher_forced(const Var& ids, Decoding& state, const Var& rows) {
  const auto scope = ids.graph().scope("decoder");
  const Var contexts = stack(Vars(ids.size(1), context(state)), 1);
  const Var tops = rnn_.sequence(concat({embedding_(ids), contexts}, 2), state.hidden, "time").back();
  return dense_(wanted_rows(tops, rows));
}

void Seq2Seq::visit(const nn::Visitor& f) {
  encoder_.visit("encoder", f);
  embedding_.visit("decoder.embedding", f);
  rnn_.visit("decoder.rnn", f);
  dense_.visit("decoder.dense", f);
}

namespace {

nn::AdditiveAttention additive(const NetSizes& s, Bahdanau::Scorer scorer, MaskRule rule, Rng& rng) {
  if (scorer == Bahdanau::Scorer::dot) return {};  // a dot product has no parameters
  nn::AdditiveAttention out(s.hidden, s.hidden, s.hidden, s.dropout, rng);
  out.rule = rule;
  return out;
}

}  // namespace

Bahdanau::Bahdanau(const NetSizes& s, const BookFaults& book, Rng& rng, Scorer scorer)
    : encoder_(s, book.padding, rng),
      scorer_(scorer),
      dot_{s.dropout, book.mask ? MaskRule::book : MaskRule::correct},
      additive_(additive(s, scorer, dot_.rule, rng)),
      embedding_(s.target_words, s.embed, rng),
      rnn_(s.hidden + s.embed, s.hidden, s.layers, s.dropout, rng),
      dense_(s.hidden, s.target_words, true, rng) {}

Decoding Bahdanau::start(const Encoded& encoded) {
  const auto scope = encoded.outputs.graph().scope("decoder");
  Decoding state;
  state.hidden = encoded.state;
  state.values = encoded.outputs;
  state.keys = scorer_ == Scorer::dot ? encoded.outputs : additive_.project_keys(encoded.outputs);
  state.lengths = encoded.lengths;
  return state;
}

Var Bahdanau::context(const Var& query, const Decoding& state) {
  if (scorer_ == Scorer::dot) return dot_(query, state.keys, state.values, state.lengths);
  return additive_(query, state.keys, state.values, state.lengths);
}

// [anchor: bahdanau_step]
Var Bahdanau::advance(const Var& embedded, Decoding& state) {
  Graph& graph = embedded.graph();
  const Var& before = state.hidden.back();
  const std::size_t batch = before.size(0), hidden = before.size(1);
  const Var query = graph.name(reshape(before, {batch, 1, hidden}), "query", {"batch", "query", "hidden"});
  const Var found = reshape(context(query, state), {batch, hidden});
  const Var input = graph.name(concat({found, embedded}, 1), "gru_input", {"batch", "feature"});
  return rnn_.step(input, state.hidden);
}

Var Bahdanau::step(const Var& ids, Decoding& state) {
  Graph& graph = ids.graph();
  const auto scope = graph.scope("decoder");
  const Var embedded = graph.name(embedding_(ids), "embedding", {"batch", "feature"});
  return graph.name(dense_(advance(embedded, state)), "logits", {"batch", "vocabulary"});
}
// [anchor end]

Var Bahdanau::teacher_forced(const Var& ids, Decoding& state, const Var& rows) {
  Graph& graph = ids.graph();
  const auto scope = graph.scope("decoder");
  const Var embedded = embedding_(ids);
  Vars tops;
  for (std::size_t t = 0; t < ids.size(1); ++t) {
    const auto turn = graph.turn("time", static_cast<int>(t));
    tops.push_back(advance(select(embedded, 1, t), state));
  }
  return dense_(wanted_rows(stack(tops, 1), rows));
}

void Bahdanau::visit(const nn::Visitor& f) {
  encoder_.visit("encoder", f);
  if (scorer_ == Scorer::additive) additive_.visit("decoder.attention", f);
  embedding_.visit("decoder.embedding", f);
  rnn_.visit("decoder.rnn", f);
  dense_.visit("decoder.dense", f);
}

}  // namespace attn::models
