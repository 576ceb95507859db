#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Why dot products are divided by √d: queries and keys of N(0, 1) numbers, of d = 1, 2, 4 … 512 of them.
/// Inputs: samples; seed.
/// Records: size [size], the d. raw (q · k) and scaled (q · k / √d): variance [size], over the samples; and of rows of
/// ten keys under one query, on average: entropy [size] of the softmax in nats, at most most_entropy []; largest_weight
/// [size]; gradient [size], the norm of the softmax's Jacobian, diag(α) − ααᵀ (0 where softmax has settled on one key).
/// The first row, to be opened: raw.scores [size, key], root [size, column] = √d, scaled.scores, raw.weights, scaled.weights
/// [size, key].
models::Kind score_variance();

/// How large embeddings are beside the positions that are added to them, for both usual initialisations.
/// Inputs: size, words, seed.
/// Records: standard (N(0, 1), PyTorch's default) and small (N(0, 1/d)): embedding [time, feature], scaled [time, feature]
/// = embedding · √d, rms [] and scaled_rms []; position [time, feature], position_rms []; of each the share of the
/// position in the sum: standard.share, standard.scaled_share … [] = position_rms² / (position_rms² + rms²).
models::Kind embedding_scale();

}  // namespace attn::labs
