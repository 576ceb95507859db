#include "models/regression_forms.hpp"

#include <cmath>
#include <cstdio>

#include "ops/arithmetic.hpp"
#include "ops/embedding.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"
#include "text/formula.hpp"

namespace attn::models {
namespace {

const Axes kPairs = {"query", "key"};

std::string formula_of(const KernelChoice& choice) {
  if (choice.kernel == "boxcar") return "step(1 - abs(u))";
  if (choice.kernel == "triangular") return "max(0, 1 - abs(u))";
  if (choice.kernel == "epanechnikov") return "max(0, 1 - u^2)";
  return choice.kernel == "constant" ? "1" : choice.formula;
}

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// A weight is a number that is not negative.
void refuse_no_weights(const std::string& formula, const Var& u, const Var& similarity) {
  for (std::size_t i = 0; i < similarity.value().size(); ++i) {
    const float x = similarity.value().values()[i];
    if (std::isfinite(x) && x >= 0.0F) continue;
    throw DataError("formula: " + formula + " gives " + (std::isfinite(x) ? short_number(x) : "no number") +
                    " at u = " + short_number(u.value().values()[i]) + "; a weight is a number that is not negative");
  }
}

/// Records: similarity, shaped as u.
Var formula_similarity(const std::string& formula, const Var& u, const Var& w, const Axes& axes) {
  Graph& graph = u.graph();
  const Var own_w = &w.graph() == &graph ? w : graph.constant(w.value());
  const Var raw = text::Formula::parse(formula, {"u", "w"})({{"u", u}, {"w", own_w}}, axes);
  // A formula may be u alone, which has its name, or know no u.
  const Var all = raw.shape() == u.shape() ? reshape(raw, u.shape()) : graph.constant(Tensor::zeros(u.shape())) + raw;
  const Var similarity = graph.name(all, "similarity", axes);
  refuse_no_weights(formula, u, similarity);
  return similarity;
}

Weighing formula_weights(const std::string& formula, const Var& u, const Var& w) {
  Graph& graph = u.graph();
  const Var similarity = formula_similarity(formula, u, w, kPairs);
  const Var total = graph.name(sum(similarity, -1), "total", {"query"});
  const Var has_data = graph.name(step(total), "has_data", {"query"});
  const Var one = graph.constant(Tensor::scalar(1.0F));
  const Var divisor = total + (one - has_data);  // 0/1 instead of 0/0 where there is no neighbour
  const Var weights = similarity / reshape(divisor, {divisor.size(0), 1});
  return {graph.name(weights, "weights", kPairs), has_data};
}

/// Mean of squares, over the queries that have data where some may have none.
Var mean_of_squares(const Var& differences, const Var& counted) {
  if (!counted) return mean(square(differences));
  const Var some = max(sum(counted), differences.graph().constant(Tensor::scalar(1.0F)));
  return sum(square(differences * counted)) / some;
}

/// For each point the numbers of the others, or of all.
Tensor others(std::size_t n, bool leave_one_out) {
  Tensor ids({n, n - (leave_one_out ? 1 : 0)});
  float* to = ids.data();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (!leave_one_out || i != j) *to++ = static_cast<float>(j);
  return ids;
}

}  // namespace

Var gaussian_scores(const Var& distance) {
  const Var scores = scale(square(distance), -0.5F, "−1/2");
  return distance.graph().name(scores, "scores", kPairs);
}

Weighing softmax_weights(const Var& scores) { return {scores.graph().name(softmax(scores), "weights", kPairs), {}}; }

Form kernel_form(const KernelChoice& choice, const Var& w) {
  const auto factor = static_cast<float>(1.0 / choice.width);
  return [choice, w, factor](const Var& distance) {
    Graph& graph = distance.graph();
    const Var u = graph.name(scale(distance, factor, "1/width"), "u", kPairs);
    if (choice.kernel != "gaussian") return formula_weights(formula_of(choice), u, w);
    const Var scores = gaussian_scores(u);
    graph.name(exp(scores), "similarity", kPairs);
    return softmax_weights(scores);  // e^score over their sum, without its underflow far from all keys
  };
}

void draw_kernel(Graph& graph, const KernelChoice& choice, const Var& w) {
  constexpr std::size_t places = 121;
  Tensor grid({places});
  for (std::size_t i = 0; i < places; ++i) grid.data()[i] = (static_cast<float>(i) - 60.0F) / 20.0F;  // −3 … 3
  const Var distance = graph.input("distance", {"place"}, grid);
  const Var u = graph.name(scale(distance, static_cast<float>(1.0 / choice.width), "1/width"), "u", {"place"});
  formula_similarity(choice.kernel == "gaussian" ? "exp(-u^2/2)" : formula_of(choice), u, w, {"place"});
}

Pooled pool(const Weighing& weighing, const Pairing& pairing) {
  Graph& graph = weighing.weights.graph();
  const std::size_t queries = weighing.weights.size(0), keys = weighing.weights.size(1);
  const bool shared = pairing.values.shape().rank() == 1;
  const Var rows = shared ? weighing.weights : reshape(weighing.weights, {queries, 1, keys});
  const Var column = matmul(rows, reshape(pairing.values, shared ? Shape{keys, 1} : Shape{queries, keys, 1}));
  const Var prediction = graph.name(reshape(column, {queries}), "prediction", {"query"});
  if (weighing.has_data) graph.name(mean(weighing.has_data), "covered", {});
  const Var error = mean_of_squares(prediction - pairing.wanted, weighing.has_data);
  return {prediction, graph.name(error, "error", {})};
}

void roughness(const Var& prediction, const Var& has_data, const std::string& name) {
  const std::size_t inner = prediction.size(0) - 2;
  const auto from = [inner](const Var& x, std::size_t start) { return slice(x, 0, start, inner); };
  const Var bend = from(prediction, 0) - scale(from(prediction, 1), 2.0F) + from(prediction, 2);
  const Var slope = scale(bend, 100.0F, "1/0.1²");  // the queries stand 0.1 apart
  const Var counted = has_data ? from(has_data, 0) * from(has_data, 1) * from(has_data, 2) : Var();
  prediction.graph().name(sqrt(mean_of_squares(slope, counted)), name, {});
}

Pairing training_pairs(const Var& keys, const Var& values, bool leave_one_out) {
  Graph& graph = keys.graph();
  const std::size_t n = keys.size(0);
  const Var ids = graph.constant(others(n, leave_one_out));
  const auto gathered = [&](const Var& x) { return reshape(embedding(ids, reshape(x, {n, 1})), ids.shape()); };
  const Var distance = reshape(keys, {n, 1}) - gathered(keys);
  return {keys, keys, graph.name(distance, "train.distance", kPairs), gathered(values), values};
}

}  // namespace attn::models
