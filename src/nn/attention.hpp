#pragma once

#include "nn/linear.hpp"
#include "ops/softmax.hpp"

namespace attn::nn {

/// Additive attention: a(q, k) = w_vᵀ tanh(W_q q + W_k k); weights = softmax over valid keys; Σ weights · values.
///                                                                   (Bahdanau et al. 2015, section 3.1 and A.1.2)
/// Query and key sizes may differ. No biases. Dropout acts on the weights; the step "weights" is before dropout.
struct AdditiveAttention {
  Linear W_q;  // [H, query size]
  Linear W_k;  // [H, key size]
  Linear w_v;  // [1, H]
  float dropout = 0.0F;
  MaskRule rule = MaskRule::correct;

  AdditiveAttention() = default;
  AdditiveAttention(std::size_t key_size, std::size_t query_size, std::size_t hidden, float dropout, Rng& rng);

  /// W_k k, [B, Tk, key size] -> [B, Tk, H]: once for all queries that will come.
  /// Records: keys_projected [B, Tk, H].
  Var project_keys(const Var& keys);

  ///   queries [B, Tq, query size], projected keys [B, Tk, H], values [B, Tk, Dv], lengths [B] or [B, Tq] or none
  ///   -> context [B, Tq, Dv]; a query with no valid key gets zeros (correct rule).
  /// Throws ShapeError. Records: query_projected [B, Tq, H]; features [B, Tq, Tk, H]; scores [B, Tq, Tk];
  /// weights [B, Tq, Tk], each row sums to 1; context [B, Tq, Dv].
  Var operator()(const Var& queries, const Var& projected_keys, const Var& values, const Var& lengths);
  void visit(const std::string& path, const Visitor& f);
};

/// Scaled dot-product attention: softmax(Q Kᵀ / √D) V.                              (Vaswani et al. 2017, eq. 1)
/// No parameters. Dropout acts on the weights; the step "weights" is before dropout.
struct DotProductAttention {
  float dropout = 0.0F;
  MaskRule rule = MaskRule::correct;
  bool scaled = true;  // false: without the 1/√D, to see what it is good for

  ///   queries [B, Tq, D] or [B, H, Tq, D], keys [..., Tk, D], values [..., Tk, Dv], lengths [B] or [B, Tq] or none
  ///   -> context [..., Tq, Dv]; a query with no valid key gets zeros (correct rule).
  /// `extra`, if given, is added to the scores (after the 1/√D). Throws ShapeError if queries and keys differ in size.
  /// Records: scores [..., Tq, Tk]; weights [..., Tq, Tk], each row sums to 1; context [..., Tq, Dv].
  Var operator()(const Var& queries, const Var& keys, const Var& values, const Var& lengths,
                 const Var& extra = {}) const;
};

/// q · k / √D: [..., Tq, D], [..., Tk, D] -> [..., Tq, Tk].
Var scaled_dot_product(const Var& queries, const Var& keys);

}  // namespace attn::nn
