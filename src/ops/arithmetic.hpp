#pragma once

#include <string>

#include "graph/graph.hpp"

namespace attn {

// Elementwise, with broadcasting: shapes are aligned at the last axis, sizes equal or 1. Throw ShapeError otherwise.
Var add(const Var& a, const Var& b);
Var sub(const Var& a, const Var& b);
Var mul(const Var& a, const Var& b);
Var div(const Var& a, const Var& b);
Var max(const Var& a, const Var& b);  // of two equal numbers each gets half of the gradient, as in PyTorch
Var min(const Var& a, const Var& b);
Var pow(const Var& a,
        const Var& b);  // a to the power b; NaN for a < 0 unless b is whole, as in C. The gradient of b is 0
                        // where a <= 0

/// factor * x. `symbol` is how a reader would write the factor ("1/√d").
Var scale(const Var& x, float factor, const std::string& symbol = "");
Var square(const Var& x);

inline Var operator+(const Var& a, const Var& b) { return add(a, b); }
inline Var operator-(const Var& a, const Var& b) { return sub(a, b); }
inline Var operator*(const Var& a, const Var& b) { return mul(a, b); }
inline Var operator/(const Var& a, const Var& b) { return div(a, b); }

}  // namespace attn
