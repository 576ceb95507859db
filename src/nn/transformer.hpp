#pragma once

#include "nn/multi_head.hpp"
#include "nn/norm.hpp"

namespace attn::nn {

/// The same two-layer perceptron at each position: W_2 relu(W_1 x + b_1) + b_2.   (Vaswani et al. 2017, eq. 2)
struct PositionWiseFFN {
  Linear dense1;  // [hidden, in]
  Linear dense2;  // [out, hidden]

  PositionWiseFFN() = default;
  PositionWiseFFN(std::size_t in, std::size_t hidden, std::size_t out, Rng& rng);
  /// [..., in] -> [..., out]. Records: hidden [B, T, hidden] (after the relu), output [B, T, out].
  Var operator()(const Var& x);
  void visit(const std::string& path, const Visitor& f);
};

/// What the blocks of one Transformer have in common.
struct BlockStyle {
  std::size_t size;  // features, in and out
  std::size_t ffn_hidden;
  std::size_t heads;
  float dropout = 0.0F;
  NormPlace norm = NormPlace::post;
  bool residual = true;
  MaskRule rule = MaskRule::correct;
  RelativeKind relative = RelativeKind::none;  // of self-attention
  std::size_t reach = 0;
  bool scaled = true;  // scores by 1/√d
};

/// Self-attention, then the FFN, each with its AddNorm.                             (Vaswani et al. 2017, section 3.1)
struct EncoderBlock {
  MultiHeadAttention attention;
  AddNorm addnorm1, addnorm2;
  PositionWiseFFN ffn;

  EncoderBlock(const BlockStyle& style, Rng& rng);
  /// x [B, T, C], lengths [B] -> [B, T, C].
  /// Records: attention.{keys, values, and what MultiHeadAttention records}; addnorm1; ffn.{…}; addnorm2.
  Var operator()(const Var& x, const Var& lengths);
  void visit(const std::string& path, const Visitor& f);
};

/// Masked self-attention, attention to the encoder, then the FFN, each with its AddNorm.
struct DecoderBlock {
  MultiHeadAttention attention1, attention2;
  AddNorm addnorm1, addnorm2, addnorm3;
  PositionWiseFFN ffn;

  /// What a block keeps from word to word: its own words so far, and the source. The cache grows by one row a word.
  struct Cache {
    KeyValues self, cross;
  };

  DecoderBlock(const BlockStyle& style, Rng& rng);
  /// The source, projected once: encoded [B, Tk, C]. Records: cross.keys, cross.values.
  Cache start(const Var& encoded);
  /// x [B, T, C], words first … first + T − 1; visible [B, T]: how many words each may see, or none for all that are there;
  /// lengths [B] of the source -> [B, T, C].
  /// Records: self.{…}; addnorm1; cross.{…}; addnorm2; ffn.{…}; addnorm3.
  Var operator()(const Var& x, Cache& cache, const Var& visible, const Var& lengths, std::size_t first);
  void visit(const std::string& path, const Visitor& f);
};

}  // namespace attn::nn
