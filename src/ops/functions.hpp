#pragma once

#include "graph/graph.hpp"

namespace attn {

// Elementwise functions.
Var exp(const Var& x);
Var tanh(const Var& x);
Var sigmoid(const Var& x);  // 1 / (1 + exp(-x))
Var relu(const Var& x);     // max(x, 0); its gradient at 0 is 0, as in PyTorch

}  // namespace attn
