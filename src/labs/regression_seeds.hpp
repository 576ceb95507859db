#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Kernel regression of many seeds, each drawn, trained and judged as the model `kernel-regression` of that seed would be:
/// a distribution instead of one lucky run. Its numbers open in the model, under the seed that stands on the axis.
/// Inputs: the model's config, with first_seed and seeds in place of seed.
/// Records: w [seed, epoch], the width before training (epoch 0) and after each epoch; loss [seed, epoch], squared errors
/// summed over the training points, as the book plots them; error.average, error.fixed, error.learned [seed], against the
/// truth; largest_weight.fixed, largest_weight.learned [seed], the largest entry of the map; and of
/// each its median over the seeds: median.w, median.loss [epoch], median.error.average …, median.largest_weight.… [];
/// better []: the share of seeds in which the learned width has a smaller error than the fixed kernel; sharper []: the
/// share in which its largest weight is the larger one.
models::Kind regression_seeds();

/// Mean error against the truth of the Gaussian kernel, for more and more data: with a fixed width it does not converge;
/// with one that narrows as data grow it does.
/// Inputs: draws, noise, edition, seed.
/// Records: n [size]; w [width]; error [width, size], mean over the draws; best_w [size] and best_error [size], those of
/// the width with the smallest error.
models::Kind regression_sizes();

}  // namespace attn::labs
