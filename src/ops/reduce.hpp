#pragma once

#include "graph/graph.hpp"

namespace attn {

/// Sum of all elements: x [...] -> [].
Var sum(const Var& x);

/// Mean of all elements: x [...] -> [].
Var mean(const Var& x);

}  // namespace attn
