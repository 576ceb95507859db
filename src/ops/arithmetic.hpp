#pragma once

#include <string>

#include "graph/graph.hpp"

namespace attn {

// Elementwise, with broadcasting: shapes are aligned at the last axis, sizes equal or 1. Throw ShapeError otherwise.
Var add(const Var& a, const Var& b);
Var sub(const Var& a, const Var& b);
Var mul(const Var& a, const Var& b);

/// factor * x. `symbol` is how a reader would write the factor ("1/√d").
Var scale(const Var& x, float factor, const std::string& symbol = "");
Var square(const Var& x);

inline Var operator+(const Var& a, const Var& b) { return add(a, b); }
inline Var operator-(const Var& a, const Var& b) { return sub(a, b); }
inline Var operator*(const Var& a, const Var& b) { return mul(a, b); }

}  // namespace attn
