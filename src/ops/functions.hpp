#pragma once

#include "graph/graph.hpp"

namespace attn {

// Elementwise functions.
Var neg(const Var& x);
Var exp(const Var& x);
Var log(const Var& x);   // the natural one; NaN under 0
Var sqrt(const Var& x);  // NaN under 0; its gradient at 0 is infinite, as in PyTorch
Var sin(const Var& x);
Var cos(const Var& x);
Var tanh(const Var& x);
Var sigmoid(const Var& x);  // 1 / (1 + exp(-x))
Var relu(const Var& x);     // max(x, 0); its gradient at 0 is 0, as in PyTorch
Var abs(const Var& x);      // its gradient at 0 is 0
Var step(const Var& x);     // 1 where x > 0, else 0; its gradient is 0 everywhere

}  // namespace attn
