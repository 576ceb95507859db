#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace attn {

// The same numbers in another order. A negative axis counts from the last. Throw ShapeError naming op and shape.

/// The same elements, row-major, under another shape.
Var reshape(const Var& x, const Shape& shape);

/// Axis i of the result is axis order[i] of x.
Var transpose(const Var& x, const List<std::size_t>& order);

/// Of a node that transpose made: which axis of its operand each of its axes is; empty for any other.
List<std::size_t> order_of(const Node& node);

/// Entries start … start + length - 1 of one axis.
Var slice(const Var& x, std::ptrdiff_t axis, std::size_t start, std::size_t length);

/// One entry of an axis; the axis falls away.
Var select(const Var& x, std::ptrdiff_t axis, std::size_t index);

/// Joined along an axis that they have; the other sizes are equal.
Var concat(const Vars& parts, std::ptrdiff_t axis);

/// Joined along a new axis; all shapes are equal. A negative axis counts in the result.
Var stack(const Vars& parts, std::ptrdiff_t axis);

}  // namespace attn
