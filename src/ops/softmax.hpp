#pragma once

#include "graph/graph.hpp"

namespace attn {

/// How masked_softmax hides a key. `correct`: hidden keys take no part; a row without a valid key gives zeros and no
/// gradient. `book`: their scores become -1e6 before an ordinary softmax, so that a row without a valid key gives
/// uniform weights (fault B3), and scores under -1e6 win against hidden ones (B4).
enum class MaskRule { correct, book };

/// Softmax over the last axis: x [..., m] -> [..., m], each row sums to 1.
Var softmax(const Var& x);

/// Softmax over the keys that a query may see.
///   scores [B, ..., n, m], lengths [B] (one for all queries of an example) or [B, n] (one a query): whole numbers 0 … m
///   -> weights, shaped as scores, exactly 0 behind the length (correct rule).
/// Without lengths (an empty Var) it is softmax. Throws ShapeError naming both shapes, DataError for a length outside.
Var masked_softmax(const Var& scores, const Var& lengths, MaskRule rule = MaskRule::correct);

/// How many keys each row of masked_softmax's result sees; empty for any other node, and where nothing was hidden by lengths.
List<std::size_t> seen_keys(const Node& weights);

}  // namespace attn
