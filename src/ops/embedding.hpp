#pragma once

#include "graph/graph.hpp"

namespace attn {

/// Rows of a table: ids [...] whole numbers 0 … V-1, weight [V, E] -> [..., E].
/// Throws ShapeError if the table has no two axes, DataError naming an id outside it.
Var embedding(const Var& ids, const Var& weight);

}  // namespace attn
