// What holds for every explanation, of an op as of a whole model's run.
#pragma once

#include <string>

#include "graph/graph.hpp"

namespace attn::test {

/// Checks of up to `cells` cells of every node (all cells where there are no more): the leaves of its explanation are
/// recorded numbers of the op's own inputs, named parts are defined before their use, the expression recomputed in double is
/// the stored number within 1e-5 of its magnitude, and the core's own value of it is the same.
void check_values_explained(const Graph& graph, std::size_t cells, const std::string& topic, const std::string& where);

/// The same for gradients: each share belongs to a consumer of the node, and a node without gradient explains as 0.
void check_gradients_explained(const Graph& graph, std::size_t cells, const std::string& topic,
                               const std::string& where);

}  // namespace attn::test
