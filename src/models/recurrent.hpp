#pragma once

#include "models/translation_net.hpp"
#include "nn/attention.hpp"
#include "nn/linear.hpp"

namespace attn::models {

/// Embedding and GRU over the source.
struct RecurrentEncoder {
  nn::Embedding embedding;
  nn::GRU rnn;
  bool reads_padding = false;

  RecurrentEncoder(const NetSizes& sizes, bool reads_padding, Rng& rng);
  /// ids [B, Tk], lengths [B]. The state is that after the last valid token (or, in the book's way, after the padding).
  /// Records under "encoder": embedding [B, Tk, E]; <layer>.hidden [B, Tk, H] and the gates of each step.
  Encoded operator()(const Var& ids, const Var& lengths);
  void visit(const std::string& path, const nn::Visitor& f);
};

/// Sequence to sequence: the context is the encoder's final top state, at every step.   (Sutskever et al. 2014, Cho et al. 2014)
class Seq2Seq final : public TranslationNet {
 public:
  Seq2Seq(const NetSizes& sizes, const BookFaults& book, Rng& rng);
  Encoded encode(const Var& ids, const Var& lengths) override { return encoder_(ids, lengths); }
  Decoding start(const Encoded& encoded) override;
  /// Records: embedding [B, E]; context [B, H]; gru_input [B, E + H]; gates; logits [B, V].
  Var step(const Var& ids, Decoding& state) override;
  Var teacher_forced(const Var& ids, Decoding& state, const Var& rows = {}) override;
  std::vector<AttentionStep> attention() const override { return {}; }
  void visit(const nn::Visitor& f) override;

 private:
  const Var& context(const Decoding& state) const { return drifts_ ? state.hidden.back() : state.context; }
  RecurrentEncoder encoder_;
  nn::Embedding embedding_;
  nn::GRU rnn_;  // reads the embedding first, then the context
  nn::Linear dense_;
  bool drifts_;
};

/// Seq2seq with attention: the query is the decoder's top state of the step before, keys and values are the encoder's top
/// states. Scores are additive, or dot products (the chapter's exercise).             (Bahdanau et al. 2015)
class Bahdanau final : public TranslationNet {
 public:
  enum class Scorer { additive, dot };
  Bahdanau(const NetSizes& sizes, const BookFaults& book, Rng& rng, Scorer scorer = Scorer::additive);
  Encoded encode(const Var& ids, const Var& lengths) override { return encoder_(ids, lengths); }
  /// Records (additive): decoder.keys_projected [B, Tk, H].
  Decoding start(const Encoded& encoded) override;
  /// Records: query [B, 1, H]; what its attention records; embedding [B, E]; gru_input [B, H + E]; gates; logits [B, V].
  Var step(const Var& ids, Decoding& state) override;
  Var teacher_forced(const Var& ids, Decoding& state, const Var& rows = {}) override;
  std::vector<AttentionStep> attention() const override { return {{"decoder.weights", "cross", 0}}; }
  void visit(const nn::Visitor& f) override;

 private:
  Var advance(const Var& embedded, Decoding& state);
  Var context(const Var& query, const Decoding& state);
  RecurrentEncoder encoder_;
  Scorer scorer_;
  nn::DotProductAttention dot_;
  nn::AdditiveAttention additive_;
  nn::Embedding embedding_;
  nn::GRU rnn_;  // reads the context first, then the embedding
  nn::Linear dense_;
};

}  // namespace attn::models
