#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Softmax over the keys that a query may see, in all its forms.
/// Inputs: length of the single row; seed of the scores.
/// Records:
///   one.scores [key] = 1 2 3 4, one.weights [key], one.book_weights [key]: the first `length` keys seen; the book's way
///   hides with −1e6, so that length 0 gives uniform weights (fault B3) instead of zeros;
///   far.scores, far.weights, far.book_weights [key]: scores under −1e6, where −1e6 hides nothing (B4);
///   scores [batch, query, key], U[0, 1); none.weights without a mask;
///   examples.lengths [batch]: one length an example; queries.lengths [batch, query]: one a query; causal.lengths [query] =
///   1 2 … : each query sees itself and what came before; of each .mask, shaped as its weights, 1 where a key is seen, and
///   .weights; examples.book_weights besides. All lengths are inputs to edit.
models::Kind masks();

/// One mask, and which of the two uses it has: hiding padding (encoder) or the future (decoder).
/// Inputs: use padding, future or both; words: how many of the keys are words; keys.
/// Records: lengths [query]; mask [query, key]; row_change []: Σ |row − row before|, 0 where all queries see the same;
///   ahead []: how many keys behind their query are seen; unequal, blind []: 1 if row_change > 0, if ahead = 0;
///   hides_future []: unequal · blind; hides_padding []: 1 if the last query does not see the last key.
models::Kind mask_use();

/// Batched products and their shapes.
/// Inputs: left_batch, left_rows, left_columns, right_batch, right_rows, right_columns.
/// Records: left [batch, row, inner] and right [batch, inner, column], ones; product [batch, row, column];
///   average.weights [batch, query, key], each 0.1; average.values [batch, key, value] = 0 … 19; average.output
///   [batch, query, value]: 4.5 and 14.5.
/// Throws ShapeError with the reason where the shapes do not fit.
models::Kind bmm();

}  // namespace attn::labs
