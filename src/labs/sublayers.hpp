#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// The position-wise network of a Transformer: two layers, the same for each word, so equal words come out equal.
/// Inputs: batch, words, size, hidden, out; equal: all words are ones; seed.
/// Records: input [batch, time, feature]; W_1 [hidden, from], b_1 [hidden], W_2 [to, hidden], b_2 [to] (all to edit); hidden
///   [batch, time, hidden] = relu(W_1 x + b_1); output [batch, time, feature] = W_2 hidden + b_2; row_difference []:
///   √Σ (row − first row)² over all words of all sentences, 0 where all words are equal; parameters [].
models::Kind ffn();

/// What joins a sub-layer to its input: x + dropout(y), then layer norm.
/// Inputs: words, size; sublayer_size: numbers of a word behind the sub-layer; sublayer random or zero: what it gives;
///   dropout, which acts only in training; training; residual: whether x is added; seed.
/// Records: x, y [time, feature] (to edit); kept [time, feature]: 0 or 1 / (1 − dropout), outside training ones; dropped =
///   y · kept; sum; mean, variance [time] of its rows; output [time, feature]: the layer norm of sum, with γ = 1, β = 0;
///   output_mean, output_variance [time]; norm_alone: the layer norm of x; difference []: √Σ (output − norm_alone)², absent
///   where their shapes differ.
/// Throws ShapeError where x and y are to be added and differ in shape.
models::Kind add_norm();

}  // namespace attn::labs
