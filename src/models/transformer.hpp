#pragma once

#include "models/translation_net.hpp"
#include "nn/linear.hpp"
#include "nn/positions.hpp"
#include "nn/transformer.hpp"

namespace attn::models {

/// What a Transformer is made of; the defaults are the chapter's.
struct TransformerStyle {
  std::size_t heads = 4;
  std::size_t ffn = 64;
  nn::NormPlace norm = nn::NormPlace::post;
  bool residual = true;
  nn::PositionKind positions = nn::PositionKind::sinusoid;
  nn::RelativeKind relative = nn::RelativeKind::none;
  std::size_t reach = 4;         // of relative positions
  bool joined = false;           // positions concatenated instead of added: all features are twice as many
  bool scaled = true;            // embeddings times √hidden
  bool scaled_scores = true;     // by 1/√(hidden / heads)
  bool small_embedding = false;  // drawn from N(0, 1/hidden) instead of N(0, 1)
  bool causal = true;            // the decoder sees no word behind the present one
  std::size_t longest = 10;      // words of a sentence, for learned positions
};

/// Words and where they stand, as the first block reads them.
struct TransformerInput {
  nn::Embedding embedding;
  nn::PositionalEncoding position;
  float factor;  // √hidden, or 1

  TransformerInput(std::size_t words, std::size_t hidden, const TransformerStyle& style, float dropout, Rng& rng);
  /// ids [B, T] at positions first … -> [B, T, C]. Records: embedding, scaled, positions, input.
  Var operator()(const Var& ids, std::size_t first);
  void visit(const std::string& path, const nn::Visitor& f);
};

/// The Transformer: encoder and decoder of attention and position-wise layers alone.   (Vaswani et al. 2017)
class Transformer final : public TranslationNet {
 public:
  /// sizes.embed is not used: embeddings are `hidden` wide. Throws ConfigError if the heads do not divide the features.
  Transformer(const NetSizes& sizes, const TransformerStyle& style, const BookFaults& book, Rng& rng);

  /// ids [B, Tk], lengths [B]. Records under "encoder": what TransformerInput records; under "<block>" what EncoderBlock does.
  Encoded encode(const Var& ids, const Var& lengths) override;
  /// Records under "decoder.<block>": cross.keys, cross.values.
  Decoding start(const Encoded& encoded) override;
  /// One word: its projected keys and values join those kept (fault B27), and it stands at its own position (B1).
  /// Records under "decoder": what TransformerInput and the blocks record; logits [B, V].
  Var step(const Var& ids, Decoding& state) override;
  /// All words in one pass, each hidden from those before it, in training and out of it (B13).
  /// Records as step() does; lengths [B, T]: how many words each word may see, to edit; logits [B, T, V].
  Var teacher_forced(const Var& ids, Decoding& state, const Var& rows = {}) override;
  bool in_one_pass() const override { return true; }
  std::vector<AttentionStep> attention() const override;
  nn::MultiHeadAttention* multi_head(const std::string& name) override;
  void visit(const nn::Visitor& f) override;

 private:
  Var decode(const Var& ids, Decoding& state, std::size_t position, const Var& rows);
  Var visible_words(Graph& graph, std::size_t batch, std::size_t count, std::size_t first) const;

  bool causal_, sees_ahead_, stays_at_zero_;
  TransformerInput source_, target_;
  std::vector<nn::EncoderBlock> encoder_;
  std::vector<nn::DecoderBlock> decoder_;
  nn::AddNorm encoder_end_, decoder_end_;  // pre-norm: a last norm behind the blocks
  nn::Linear dense_;
};

}  // namespace attn::models
