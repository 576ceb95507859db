#pragma once

#include "train/optimizer.hpp"

namespace attn::train {

/// What the optimiser would do with the gradients of a graph, as nodes of that graph, after backward(). Only looked at: the
/// parameters, their gradients and the optimiser stay as they are. The numbers are those of clip_gradients() and step(),
/// composed instead of fused, so an edit of any step carries on; a test holds the two together.
/// Records, in the scope "update": for each parameter with a gradient <path>.gradient; where limit > 0 (clipping)
/// <path>.squares [row] (sums of g² along the last axis, of a matrix), <path>.sum_of_squares [], norm [], clip [] (the factor)
/// and <path>.clipped; what the optimiser records; <path>.value, the weight after the step.
/// Throws ConfigError if no parameter has a gradient, Error if a gradient is not finite.
void record_update(Graph& graph, const Optimizer& optimizer, double limit);

}  // namespace attn::train
