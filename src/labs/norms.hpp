#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Layer norm looks along the features of one example, batch norm along the examples of one feature.
/// Inputs: rows: how many of the rows (1 2), (2 3), (10 0), (−4 6) make the batch; seed of the sentences.
/// Records: input [batch, feature]; layer.mean, layer.variance [batch], layer.output; batch.mean, batch.variance [feature],
///   batch.output [batch, feature]. γ = 1, β = 0.
///   alone.layer, alone.batch [batch, feature]: the first two rows normalised without the others; changed.layer,
///   changed.batch []: √Σ of squares of what the other rows changed in them.
///   padded.input [batch, time, feature], the second sentence one word long and padded with zeros; padded.layer,
///   padded.batch; trimmed.layer, trimmed.batch [feature] of the first word if the padding were not there; padding.layer,
///   padding.batch []: what padding changed in that word.
///   sentence [time, feature]; last_axis, both_axes [time, feature]: normalised over each word's features, or over words and
///   features together (fault B20); leak.last_axis, leak.both_axes []: what the first word's numbers change when the last
///   word is set to zeros.
models::Kind norms();

}  // namespace attn::labs
