#pragma once

#include <cstddef>

#include "kernels/matmul.hpp"

namespace attn::kernels {

/// Scaled dot-product attention of several heads that lie side by side in the last axis: no copy splits them.
///   q [batch, queries, heads · size]  k [batch, keys, heads · size]  v [batch, keys, heads · value_size]
struct AttentionSizes {
  std::size_t batch, heads, queries, keys, size, value_size;
  /// Of each query of each example, how many keys it sees; null: all.
  const std::size_t* visible = nullptr;
  /// The book's mask: the score of a hidden key is `hidden_score` instead of no score at all.
  bool scores_hidden = false;
  float hidden_score = 0.0F;

  /// Keys that query `row` = example · queries + query sees.
  std::size_t seen(std::size_t row) const { return visible == nullptr ? keys : visible[row]; }
  /// Keys that may have a weight.
  std::size_t weighed(std::size_t row) const { return scores_hidden ? keys : seen(row); }
};

/// Keys that no query of an example sees are not looked at.
/// weights [batch, heads, queries, keys] = softmax(q kᵀ / √size), exactly 0 for a key that has no score;
/// out [batch, queries, heads · value_size] = (weights ⊙ mask) v. `mask` is dropout's, shaped as weights, or null.
/// A query that sees no key gets zeros.
void attention(MatmulPath path, const AttentionSizes& sizes, const float* q, const float* k, const float* v,
               const float* mask, float* weights, float* out);
void attention_reference(const AttentionSizes& sizes, const float* q, const float* k, const float* v, const float* mask,
                         float* weights, float* out);
void attention_simd(const AttentionSizes& sizes, const float* q, const float* k, const float* v, const float* mask,
                    float* weights, float* out);

/// What backward works on: the operands and weights of the forward pass, and the gradients that it writes.
struct AttentionGradients {
  const float *q, *k, *v, *mask, *weights;
  const float* dout;
  float *dq, *dk, *dv;
};
void attention_backward(MatmulPath path, const AttentionSizes& sizes, const AttentionGradients& g);
void attention_backward_reference(const AttentionSizes& sizes, const AttentionGradients& g);
void attention_backward_simd(const AttentionSizes& sizes, const AttentionGradients& g);

}  // namespace attn::kernels
