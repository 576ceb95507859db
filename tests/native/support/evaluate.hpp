// A reader of explanations that shares nothing with the core's: it recomputes an expression from its leaves.
#pragma once

#include <functional>

#include "graph/expr.hpp"

namespace attn::test {

/// Called with each leaf that names a cell, and the consumer whose share it belongs to (-1 outside a share). Gives the
/// number that stands there.
using Leaf = std::function<double(const Expr& ref, int consumer)>;

/// The value of an explanation, in double. Throws std::runtime_error when a named part is used before it is defined, is
/// defined twice, or an expression has the wrong number of operands.
double evaluate(const Explanation& explanation, const Leaf& leaf);

}  // namespace attn::test
