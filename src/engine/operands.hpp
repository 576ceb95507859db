#pragma once

#include "engine/json.hpp"
#include "graph/graph.hpp"

namespace attn::engine {

/// What a step's node was computed from, in the order of its op, as the `Operand`s of web/src/shared/engine.ts. An operand that
/// was only moved on the way (reshape, transpose, slice …) is the step it came from, laid out as it is read: its axes keep
/// their names as far as they can be followed.
Json operands_json(const Graph& graph, const Node& step);

}  // namespace attn::engine
