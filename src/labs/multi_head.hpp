#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// One layer of multi-head attention on given numbers, all heads in one batch and one head after the other.
/// Inputs: batch, queries, keys; query_size, key_size, value_size, hidden, heads; bias; given random or ones; disturb: a head,
///   counted from 1, whose rows of W_q get noise added, or 0; repeats: passes that are timed, or 0; seed. The weights depend
///   on seed and sizes alone, so that one head and five have the same matrices; biases, N(0, 0.1²), have draws of their own.
/// Records: input.queries, input.keys, input.values [batch, query | key, feature] and lengths [batch] = 3, 2, 3, 2 (or all keys
///   if there are fewer), to edit; W_q.weight, W_k.weight, W_v.weight, W_o.weight [hidden, from], labelled head·feature, and
///   with bias W_q.bias … [hidden];
///   batched.… and loop.…: what nn::MultiHeadAttention records; difference [] of the two outputs, and largest [], of any two
///   entries;
///   sizes.hidden, sizes.head []; parameters.query, .key, .value, .output, .bias []; parameters [], all of them;
///   parameters.formula [] = hidden · (query + key + value + hidden), the sizes' 4 · hidden² where they are equal;
///   multiply_adds.batched, .loop []: counted in the kernels of a pass that records nothing (the fused one, with which models
///   train) and sees all keys; milliseconds.batched, .loop []: the fastest of `repeats` such passes;
///   with disturb: disturbed.W_q.weight [hidden, from], disturbed.… as batched.…; disturbed.heads [head]: √Σ of squares of what
///   changed in each head's context, disturbed.change []: in the output.
/// Throws ConfigError if the heads do not divide the features, or for a head that is not there.
models::Kind multi_head();

}  // namespace attn::labs
