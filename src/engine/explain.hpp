#pragma once

#include <utility>

#include "engine/json.hpp"
#include "engine/steps.hpp"

namespace attn::engine {

/// Where a node took its cell from, if it only moved it (reshape, slice …): `cell` becomes that one's. Null if it computed
/// something.
const Node* moved_from(const Graph& graph, const Node& node, Cell& cell);

/// The node that computed a step's number: the step itself, or the unnamed one whose result it only moved (a matrix product
/// that was then reshaped); `cell` becomes that one's.
const Node* maker(const Graph& graph, const Node& step, Cell& cell);

/// The op that made a step's numbers (stepping over what only moves them); for leaves "input" or "parameter".
std::string op_name(const Graph& graph, const Node& node);

/// The node and its cell that a request means: by `node` and `cell`, or by `step` and a cell that begins with the turn where
/// the step is stacked. Throws ConfigError for a step or node that is not there, ShapeError for a cell outside.
std::pair<const Node*, Cell> locate(const std::vector<Step>& steps, const Graph& graph, const Json& request);

/// How the cell came about, as the `Explained` of web/src/shared/engine.ts.
Json explanation_json(const Graph& graph, const Node& node, const Cell& cell, bool gradient,
                      const models::Result& result);

/// A learner's number for a cell: {right, off}. It is right if it is the stored one rounded to the digits that were typed, and
/// within 5 % of it: so two digits that count are always enough, and a single one only where it comes near (3 for 2.9, not
/// 0.8 for 0.75 or 1 for 0.6). Zero is right for zero, or written with decimals that leave nothing else (0.00 for 0.002, but
/// neither 0 nor 0.0 for 0.02). Throws ConfigError for what is no number.
Json marked(const std::string& guess, double stored);

}  // namespace attn::engine
