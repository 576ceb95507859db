#pragma once

#include "engine/steps.hpp"

namespace attn::engine {

/// What a page shows of a step besides the step itself: row sums, an average over heads or words, a difference between two
/// runs. Each is a named step of the run's graph, made of ops, so it opens like any other number.
///   {name, step, time?, select?: {axis: [indices]}, sum?: axis, mean?: axis, minus?: {step?, time?}}
/// in this order: one turn of a stacked step (or all, along the loop's axis), the chosen entries of an axis, a sum or mean along
/// one; at last the same of another run, taken away. `other` is that run's steps, or null without one.
/// The step is given back, not listed among the run's own. Records: derived.<name>. Throws ConfigError for a step, axis or index that is not there, ShapeError if two runs differ.
Step derive(Graph& graph, const std::vector<Step>& steps, const Json& request, const std::vector<Step>* other);

/// Gives the axes that are left the words of the step they came from, as far as they were chosen; a chosen axis without words has
/// its indices.
void label_derived(const Step& derived, const std::vector<Step>& steps, const Json& request, models::Result& result);

}  // namespace attn::engine
