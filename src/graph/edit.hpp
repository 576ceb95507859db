#pragma once

#include "graph/graph.hpp"

namespace attn {

/// The same value with the edits applied (a copy): as a node of op "edit" behind the original, so that the original
/// number is still there. No gradient flows through an edited cell: it no longer depends on what came before.
/// Throws ShapeError for a cell outside or a wrong number of values, naming the step; DataError for NaN and infinity.
Var edited(const Var& var, const std::string& step, const std::vector<const Edit*>& edits);

/// Whether the node is an edit, and this cell one of the cells it changed.
bool is_edited(const Node& node);
bool is_edited(const Node& node, const Cell& cell);

}  // namespace attn
