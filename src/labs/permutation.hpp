#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// A sentence and the same sentence in another order, through one layer of self-attention, without and with positions.
/// Inputs: words, size, order reversed, rotated or shuffled; tied: W_q = W_k; seed.
/// Records: order [time]: which word stands there; input, moved [time, feature]; W_q, W_k, W_v [from, to]; positions [time,
///   feature]. without, with (the positions added): of the sentence queries, keys, values [time, feature], scores, weights
///   [query, key], output [time, feature]; of the moved one moved.… the same; expected [time, feature]: the sentence's
///   output in the other order; difference []: √Σ(moved.output − expected)², 0 up to rounding without positions;
///   asymmetry []: √Σ(scores − scoresᵀ)² of the sentence, 0 when W_q = W_k.
models::Kind permutation();

}  // namespace attn::labs
