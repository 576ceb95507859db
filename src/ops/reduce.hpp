#pragma once

#include "graph/graph.hpp"

namespace attn {

/// Of all elements: [...] -> [].
Var sum(const Var& x);
/// Throws ShapeError if there is no element.
Var mean(const Var& x);

/// Along one axis, which falls away; a negative axis counts from the last. Throw ShapeError if it is not there
/// (a mean also if it is empty).
Var sum(const Var& x, std::ptrdiff_t axis);
Var mean(const Var& x, std::ptrdiff_t axis);

}  // namespace attn
