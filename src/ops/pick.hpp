#pragma once

#include "graph/graph.hpp"

namespace attn {

/// The last valid entry of each example's sequence: x [B, T, H], lengths [B] whole numbers 1 … T -> [B, H],
/// row b is x[b, lengths[b] - 1]. Throws ShapeError naming both shapes, DataError for a length outside.
Var last_valid(const Var& x, const Var& lengths);

}  // namespace attn
