#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// A sentence and the same sentence in another order, through one layer of self-attention, without and with positions.
/// Inputs: sentence, or how many words that mean nothing; size; order reversed, rotated or shuffled; tied: W_q = W_k; seed.
/// The numbers of a word depend on the word, size and seed alone, so that one said twice has equal rows, and the same in
/// another sentence; W_q, W_k, W_v on size, seed and tied alone. The axes carry the words, in the order in which they stand.
/// Records: order [time]: which word stands there; input, moved [time, feature]; W_q, W_k, W_v [from, to]; positions [time,
///   feature]. without, with (the positions added): of the sentence queries, keys, values [time, feature], scores, weights
///   [query, key], output [time, feature]; of the moved one moved.… the same; expected [time, feature]: the sentence's
///   output in the other order; difference []: √Σ(moved.output − expected)², 0 up to rounding without positions;
///   asymmetry []: √Σ(scores − scoresᵀ)² of the sentence, 0 when W_q = W_k.
/// Throws DataError for a sentence that is not of 2 to 32 words.
models::Kind permutation();

}  // namespace attn::labs
