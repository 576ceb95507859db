#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// A convolution, a recurrent layer and self-attention really run on the same sentence, and their multiply-adds counted in
/// the kernels.
/// Inputs: n: words; k: width of the convolution; d: numbers of a word; dilated; seed.
/// Records, for convolution, gru and attention:
///   multiply_adds []: counted; formula []: k·n·d² for the convolution, 6·n·d² for the GRU (three gates, from word and from
///   state), 2·n²·d for attention (scores, and values by weights); attention.projections [] besides: those of W_q, W_k, W_v,
///   4·n·d² with W_o; convolution.outline []: the formula that is sometimes seen, k·n·d, for comparison;
///   sequential []: the longest chain of products that wait for each other in the recorded graph; an order of n only for the
///   GRU;
///   path []: how many layers (attention, convolution) or steps (GRU) a word at one end needs to be heard at the other,
///   found by sending it; path_formula []: ⌈(n − 1)/(k − 1)⌉, with dilation ⌈log_k n⌉, n − 1, and 1.
///   reach [layer, time]: where the word is heard after each layer of the convolution, which grows by k − 1 a layer, or with
///   dilation k-fold.
models::Kind costs();

/// The same three layers on longer and longer sentences, all really run and counted, and where their costs meet.
/// Inputs: k, d, seed.
/// Records: n [size] = 1, 2, 4 … up to the first power of two that is no less than 2·k·d (at most 1024); convolution, gru and
///   attention: multiply_adds [size], counted; order [size]: the usual terms without their constants, k·n·d², n·d², n²·d;
///   attention.with_projections [size], counted with W_q, W_k, W_v and W_o;
///   crossing.n, crossing.order [crossing]: the sentence at which attention's term meets the GRU's, n = d, and the
///   convolution's, n = k·d, and what they are there; crossing.counted_n, crossing.counted [crossing]: where attention with its
///   projections does exactly as many products as the GRU, n = d, counted in it.
models::Kind cost_curves();

/// The three layers on longer and longer sentences: what they cost and how long they take here.
/// Inputs: k, d; longest; repeats; seed.
/// Records: n [size]; convolution, gru and attention (without projections): multiply_adds, milliseconds [size];
///   slope.<layer>, milliseconds_slope.<layer> []: of log multiply-adds and of log milliseconds against log n, by least
///   squares over the longer half, where less of the time is spent on getting started.
models::Kind attention_costs();

}  // namespace attn::labs
