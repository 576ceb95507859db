#pragma once

#include "engine/json.hpp"
#include "graph/graph.hpp"

namespace attn::engine {

/// Where a step's numbers come from: {operands, moves?}, as in the `Step` of web/src/shared/engine.ts.
/// An operand that was only moved on the way (reshape, transpose, slice …) is the step it came from, laid out as it is read.
/// Axes that nobody named are named after those that they came from, or go to, as far as these can be followed.
Json origin_json(const Graph& graph, const Node& step);

}  // namespace attn::engine
