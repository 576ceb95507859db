#pragma once

#include <vector>

#include "models/model.hpp"
#include "nn/gru.hpp"
#include "nn/transformer.hpp"

namespace attn::models {

/// Which of the chapter's faults a network reproduces. All off: the correct behaviour.
struct BookFaults {
  bool mask = false;      // hidden scores become -1e6 (fault B3, B4)
  bool context = false;   // seq2seq: the context is the decoder's own, moving state while predicting (B2)
  bool padding = false;   // the encoder reads the padding, and its state comes from there (B17)
  bool position = false;  // Transformer: word by word, each word stands at position 0 (B1)
  bool causal = false;    // Transformer: outside training, words given at once see those behind them (B13)
};

struct NetSizes {
  std::size_t source_words, target_words, embed, hidden, layers;
  float dropout;
};

/// What an encoder gives.
struct Encoded {
  Var outputs;           // [B, Tk, H], of the top layer
  nn::GRU::State state;  // of each recurrent layer, [B, H]
  Var lengths;           // [B]
};

/// What a decoder carries from word to word; a copy is a branch of its own.
struct Decoding {
  nn::GRU::State hidden;                 // recurrent: of each layer, [B, H]
  Var context;                           // seq2seq: the fixed one, [B, H]
  Var values;                            // Bahdanau: the encoder's outputs …
  Var keys;                              // … and their projection, made once
  List<nn::DecoderBlock::Cache> blocks;  // Transformer: of each block
  std::size_t position = 0;              // words so far
  Var lengths;                           // of the source, [B]
};

/// x [B, T, H] as it is, or the rows of it that are wanted: [N, H].
Var wanted_rows(const Var& x, const Var& rows);

/// A network that translates: what differs between the chapter's models sits behind it.
class TranslationNet {
 public:
  virtual ~TranslationNet() = default;
  virtual Encoded encode(const Var& ids, const Var& lengths) = 0;
  virtual Decoding start(const Encoded& encoded) = 0;
  /// One step: the words written last, [B] -> logits [B, V] of the next. Records under "decoder".
  virtual Var step(const Var& ids, Decoding& state) = 0;
  /// All steps with the right words given, ids [B, T] -> logits [B, T, V]. The same numbers as step by step.
  /// `rows`, if given, says which of the B · T words logits are wanted for: [N] -> [N, V], in training, where those of
  /// padding would be computed for nothing.
  virtual Var teacher_forced(const Var& ids, Decoding& state, const Var& rows = {}) = 0;
  /// Whether teacher_forced() is one pass over all words, with steps of its own, and not a loop.
  virtual bool in_one_pass() const { return false; }
  /// The steps that hold attention weights; a decoder without attention says so with an empty list.
  virtual std::vector<AttentionStep> attention() const = 0;
  /// The multi-head layer whose steps begin with "<name>." ("encoder.0.attention"), or null.
  virtual nn::MultiHeadAttention* multi_head(const std::string& name) { return static_cast<void>(name), nullptr; }
  virtual void visit(const nn::Visitor& f) = 0;
};

}  // namespace attn::models
