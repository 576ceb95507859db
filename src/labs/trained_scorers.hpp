#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Additive and dot-product scoring learn one task side by side, to fetch the value of the key that a noisy query came from:
/// do their scores come to agree? Trains as a model does (metrics additive_loss, dot_loss: mean squared error of what was
/// fetched); every batch is drawn anew.
/// Additive scoring without a bias is an odd function (all signs turned, it turns its sign), a match is not: without the
/// constant 1 behind each query and key it never learns one.
/// Config: size, keys, hidden, noise, constant, batches, learning_rate, epochs, seed. Input: examples, drawn for looking.
/// Records: queries [query, feature]; keys [query, key, feature]; values [query, key, value]; wanted [query, value]: the
///   value of the right key; right [query, key]: 1 for it. additive, dot: scores, weights [query, key], context [query,
///   value], error [], hit []: mean weight on the right key. agreement.overlap []: mean over queries of Σ_k of the smaller of
///   both weights, 1 if they are the same; agreement.correlation []: of the scores, each row's mean taken off.
models::Kind trained_scorers();

}  // namespace attn::labs
