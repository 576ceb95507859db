// The forms of kernel regression, from distances to a prediction and its errors. For models/ and labs/ alone.
#pragma once

#include <functional>
#include <optional>

#include "models/kernel_regression.hpp"

namespace attn::models {

/// Weights of each query over the keys; `has_data` [query] only where a query may be without.
struct Weighing {
  Var weights;
  Var has_data;
};
using Form = std::function<Weighing(const Var& distance)>;

/// −distance²/2, and its softmax. Records: scores, weights [query, key].
Var gaussian_scores(const Var& distance);
Weighing softmax_weights(const Var& scores);

/// The kernel of a name: Gaussian as a softmax, the others as formulas whose values are divided by their sum.
/// Records: what KernelRegression::run says of `kernel`.
Form kernel_form(const KernelChoice& choice, const Var& w);

/// The kernel's curve. Records: distance, similarity [place], and the parts of its formula.
void draw_kernel(Graph& graph, const KernelChoice& choice, const Var& w);

struct Pooled {
  Var prediction;  // [query]
  Var error;       // []
};
/// Records: prediction [query], error [], and covered [] where queries may be without data.
Pooled pool(const Weighing& weighing, const Pairing& pairing);

/// Root mean square of the second derivative of a curve on the queries' grid, where three neighbours have data.
void roughness(const Var& prediction, const Var& has_data, const std::string& name);

/// Each training point against the others (or against all): gathered from the run's own keys and values.
/// Records: train.distance [query, key].
Pairing training_pairs(const Var& keys, const Var& values, bool leave_one_out);

}  // namespace attn::models
