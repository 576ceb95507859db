#pragma once

#include <vector>

#include "nn/attention.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"

namespace attn::models {

/// Which of the chapter's faults a network reproduces. All off: the correct behaviour.
struct BookFaults {
  bool mask = false;     // hidden scores become -1e6 (fault B3, B4)
  bool context = false;  // seq2seq: the context is the decoder's own, moving state while predicting (B2)
  bool padding = false;  // the encoder reads the padding, and its state comes from there (B17)
};

struct NetSizes {
  std::size_t source_words, target_words, embed, hidden, layers;
  float dropout;
};

/// What an encoder gives.
struct Encoded {
  Var outputs;           // [B, Tk, H], of the top layer
  nn::GRU::State state;  // of each layer, [B, H]
  Var lengths;           // [B]
};

/// What a decoder carries from step to step.
struct Decoding {
  nn::GRU::State hidden;  // of each layer, [B, H]
  Var context;            // seq2seq: the fixed one, [B, H]
  Var values;             // attention: the encoder's outputs …
  Var keys;               // … and their projection, made once
  Var lengths;
};

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

/// A network that translates: the part of seq2seq and Bahdanau that differs sits behind it.
class TranslationNet {
 public:
  virtual ~TranslationNet() = default;
  virtual Encoded encode(const Var& ids, const Var& lengths) = 0;
  virtual Decoding start(const Encoded& encoded) = 0;
  /// One step: the words written last, [B] -> logits [B, V] of the next. Records under "decoder".
  virtual Var step(const Var& ids, Decoding& state) = 0;
  /// All steps with the right words given, ids [B, T] -> logits [B, T, V]. The same numbers as step by step.
  virtual Var teacher_forced(const Var& ids, Decoding& state) = 0;
  virtual void visit(const nn::Visitor& f) = 0;
};

/// Sequence to sequence: the context is the encoder's final top state, at every step.   (Sutskever et al. 2014, Cho et al. 2014)
class Seq2Seq final : public TranslationNet {
 public:
  Seq2Seq(const NetSizes& sizes, const BookFaults& book, Rng& rng);
  Encoded encode(const Var& ids, const Var& lengths) override { return encoder_(ids, lengths); }
  Decoding start(const Encoded& encoded) override;
  /// Records: embedding [B, E]; context [B, H]; gru_input [B, E + H]; gates; logits [B, V].
  Var step(const Var& ids, Decoding& state) override;
  Var teacher_forced(const Var& ids, Decoding& state) override;
  void visit(const nn::Visitor& f) override;

 private:
  const Var& context(const Decoding& state) const { return drifts_ ? state.hidden.back() : state.context; }
  RecurrentEncoder encoder_;
  nn::Embedding embedding_;
  nn::GRU rnn_;  // reads the embedding first, then the context
  nn::Linear dense_;
  bool drifts_;
};

/// Seq2seq with additive attention: the query is the decoder's top state of the step before, keys and values are the
/// encoder's top states.                                                              (Bahdanau et al. 2015)
class Bahdanau final : public TranslationNet {
 public:
  Bahdanau(const NetSizes& sizes, const BookFaults& book, Rng& rng);
  Encoded encode(const Var& ids, const Var& lengths) override { return encoder_(ids, lengths); }
  /// Records: decoder.keys_projected [B, Tk, H].
  Decoding start(const Encoded& encoded) override;
  /// Records: query [B, 1, H]; what AdditiveAttention records; embedding [B, E]; gru_input [B, H + E]; gates; logits [B, V].
  Var step(const Var& ids, Decoding& state) override;
  Var teacher_forced(const Var& ids, Decoding& state) override;
  void visit(const nn::Visitor& f) override;

 private:
  Var advance(const Var& embedded, Decoding& state);
  RecurrentEncoder encoder_;
  nn::AdditiveAttention attention_;
  nn::Embedding embedding_;
  nn::GRU rnn_;  // reads the context first, then the embedding
  nn::Linear dense_;
};

}  // namespace attn::models
