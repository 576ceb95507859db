#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Four ways to score a query against keys, on one set of queries, keys, values and lengths.
/// Inputs: scorer all, additive, dot, sum or bilinear; queries; query_size, key_size, hidden; keys equal or random; pad;
///   seed. Queries are N(0, 1); equal keys are all ones, so that any weights give the mean of the values that are seen.
/// Records: queries [batch, query, feature]; keys [batch, key, feature]; values [batch, key, value] = 0 … 39 for both
///   examples; lengths [batch] = 2, 6; padded.queries, padded.keys where the shorter is filled with zeros. For each scorer:
///   scores, weights [batch, query, key], context [batch, query, value], and parameters []: how many it learns.
///   additive: what nn::AdditiveAttention records besides; W_q.weight, W_k.weight, w_v.weight;
///   dot (scaled by 1/√d): raw [batch, query, key] before the scale; loop.context [batch, query, value], computed one query
///   and key at a time, and loop.difference [];
///   sum: Σ_j (q_j + k_j), whose weights do not depend on the query;
///   bilinear: qᵀ M k: matrix [row, column], projected [batch, query, feature] = qᵀ M.
/// Throws ShapeError, with the reason, where dot or sum meet queries and keys of different sizes.
models::Kind scoring();

/// Additive scoring is a layer on the joined query and key: W_q q + W_k k = [W_q W_k] [q; k].
/// Inputs: query_size, key_size, hidden, seed.
/// Records: query, key, W_q, W_k, w_v; added.query, added.key, added.hidden [hidden], added.score [];
///   joined.input [feature], joined.weight [hidden, feature], joined.hidden [hidden], joined.score []; difference [].
models::Kind additive_concat();

/// What additive and dot-product scoring cost on the same queries and keys, measured here and now.
/// Inputs: queries, keys, size, hidden, repeats, seed.
/// Records: additive and dot: multiply_adds [] and milliseconds [] of one pass (the fastest of `repeats`), parameters [].
models::Kind scoring_costs();

}  // namespace attn::labs
