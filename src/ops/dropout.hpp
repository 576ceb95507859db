#pragma once

#include "graph/graph.hpp"

namespace attn {

/// While training, each element becomes 0 with probability p, and 1/(1-p) of itself otherwise, so that the mean stays
/// (Srivastava et al. 2014, in the inverted form). Otherwise x itself. Draws one uniform number an element from the
/// graph's generator. Throws ConfigError unless 0 <= p < 1, or if a training graph has no generator.
Var dropout(const Var& x, float p);

}  // namespace attn
