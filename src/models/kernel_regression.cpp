#include "models/kernel_regression.hpp"

#include <algorithm>
#include <cmath>

#include "models/regression_forms.hpp"
#include "ops/arithmetic.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"

namespace attn::models {
namespace {

constexpr std::size_t kQueries = 50;

double function(double x, const std::string& edition) {
  return 2.0 * std::sin(x) + (edition == "zh" ? std::pow(x, 0.8) : x);
}

/// Everything but the point itself: [n] -> [n, n - 1], or all of them: [n, n].
Tensor keys_of_each(const Tensor& x, bool leave_one_out) {
  const std::size_t n = x.size();
  Tensor out({n, n - (leave_one_out ? 1 : 0)});
  float* to = out.data();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (!leave_one_out || i != j) *to++ = x.data()[j];
  return out;
}

/// One form from the distances on: for the queries of the page, and for the training points as training sees them, whose
/// prediction it returns.
Var run_form(Graph& graph, const std::string& name, const Form& form, const Pairing& test, const Pairing& train) {
  Weighing weighing;
  Var prediction;
  {
    const auto scope = graph.scope(name);
    weighing = form(test.distance);
    prediction = pool(weighing, test).prediction;
  }
  roughness(prediction, weighing.has_data, "roughness." + name);
  const auto scope = graph.scope("train." + name);
  const Pooled trained = pool(form(train.distance), train);
  if (&trained.error.graph() != &graph)
    graph.input("error", {}, trained.error.value());  // computed where nothing is kept
  return trained.prediction;
}

/// Queries and keys are known by their x. Where a training point does not see itself, a row of keys has one less and no words.
Result labelled(const Pairing& test) {
  const auto keys = as_labels(test.keys.value());
  Result result;
  result.labels.push_back({"", "key", keys});
  result.labels.push_back({"", "query", as_labels(test.queries.value())});
  result.labels.push_back({"train.", "query", keys});
  return result;
}

}  // namespace

void KernelRegressionConfig::fields(FieldVisitor& v) {
  v.integer("n", n, 2, 1000, "training points");
  v.number("noise", noise, 0.0, 10.0, "standard deviation of the noise in y");
  v.choice("edition", edition, {"zh", "en"},
           "the curve: 2 sin x + x^0.8 (zh), 2 sin x + x (en, there with n 40, noise 1)");
  v.integer("seed", seed, 0, 1 << 30, "of the data and of the first w");
  v.boolean("random_w", random_w, "the first w is drawn from U[0, 1); off: it is first_w");
  v.number("first_w", first_w, -100.0, 100.0, "w before training, if random_w is off; 0 never learns");
  v.choice("optimizer", optimizer, train::optimizers(), "how w follows its gradient");
  v.number("learning_rate", learning_rate, 1e-6, 10.0, "of the optimiser");
  v.integer("epochs", epochs, 1, 10000, "passes over the training points");
  v.boolean("leave_one_out", leave_one_out, "in training, a point is predicted from the others only");
}

void KernelChoice::fields(FieldVisitor& v) {
  v.choice("kernel", kernel, {"gaussian", "boxcar", "triangular", "epanechnikov", "constant", "formula"},
           "the kernel of the form \"kernel\"");
  v.number("width", width, 0.01, 100.0, "of that kernel: a distance of one width is u = 1");
  v.text("formula", formula, "a kernel of one's own in u (distance in widths) and w (the learned one)");
}

RegressionData::RegressionData(std::size_t n, double noise, const std::string& edition, Rng& rng)
    : x_train({n}),
      y_train({n}),
      x_test({kQueries}),
      truth({kQueries}) {
  rng.fill_uniform(x_train, 0.0F, 5.0F);
  std::ranges::sort(x_train.mutable_values());
  for (std::size_t i = 0; i < n; ++i) {
    const double error = noise * static_cast<double>(rng.normal());
    y_train.data()[i] = static_cast<float>(function(x_train.data()[i], edition) + error);
  }
  for (std::size_t i = 0; i < kQueries; ++i) {
    const double x = static_cast<double>(i) / 10.0;
    x_test.data()[i] = static_cast<float>(x);
    truth.data()[i] = static_cast<float>(function(x, edition));
  }
}

double gaussian_error(const RegressionData& data, float w) {
  Graph graph({.record = Record::nothing});
  const std::size_t n = data.x_train.size();
  const Var keys = graph.constant(data.x_train.reshaped({1, n}));
  const Var queries = graph.constant(data.x_test.reshaped({kQueries, 1}));
  const Var weights = softmax(gaussian_scores(scale(queries - keys, w)));
  const Var prediction = matmul(weights, graph.constant(data.y_train.reshaped({n, 1})));
  return mean(square(reshape(prediction, {kQueries}) - graph.constant(data.truth))).value().item();
}

KernelRegression::KernelRegression(const KernelRegressionConfig& config)
    : config_(config),
      rng_(static_cast<std::uint64_t>(config.seed)),
      data_(static_cast<std::size_t>(config.n), config.noise, config.edition, rng_) {
  w_.value = Tensor::of({1}, {config.random_w ? rng_.uniform() : static_cast<float>(config.first_w)});
}

Kind KernelRegression::kind() {
  return {"kernel-regression",
          false,
          "Nadaraya–Watson kernel regression: average, fixed kernel, learned width",
          {"squared_error"},
          false,
          [] { return std::unique_ptr<Model>(new KernelRegression(KernelRegressionConfig())); },
          [](FieldVisitor& assign, Opening) {
            KernelRegressionConfig config;
            config.fields(assign);
            return std::unique_ptr<Model>(new KernelRegression(config));
          }};
}

void KernelRegression::inputs(FieldVisitor& v) {
  choice_ = {};
  choice_.fields(v);
}

Pairing KernelRegression::test_pairs(Graph& graph) const {
  const Var keys = graph.input("data.x_train", {"key"}, data_.x_train, true);
  const Var values = graph.input("data.y_train", {"key"}, data_.y_train, true);
  const Var queries = graph.input("data.x_test", {"query"}, data_.x_test, true);
  const Var truth = graph.input("data.truth", {"query"}, data_.truth);
  const Var distance = reshape(queries, {queries.size(0), 1}) - reshape(keys, {1, keys.size(0)});
  return {queries, keys, graph.name(distance, "distance", {"query", "key"}), values, truth};
}

Result KernelRegression::run(Graph& graph) {
  const Pairing test = test_pairs(graph);
  Graph hidden({.record = Record::nothing});  // for what would be too much to keep
  const bool traced = test.keys.size(0) <= kTraced;
  const Pairing train =
      training_pairs(traced ? test.keys : hidden.constant(test.keys.value()),
                     traced ? test.values : hidden.constant(test.values.value()), config_.leave_one_out);
  const auto alike = [](const Var& d) {  // equal scores, equal weights
    Graph& g = d.graph();
    return softmax_weights(g.name(g.constant(Tensor::zeros(d.shape())), "scores", {"query", "key"}));
  };
  run_form(graph, "average", alike, test, train);
  run_form(
      graph, "fixed", [](const Var& d) { return softmax_weights(gaussian_scores(d)); }, test, train);
  const Var w = graph.name(graph.parameter(w_), "learned.w", {"parameter"});
  const Var learned = run_form(
      graph, "learned", [&w](const Var& d) { return softmax_weights(gaussian_scores(d * w)); }, test, train);
  run_form(graph, "kernel", kernel_form(choice_, w), test, train);
  Result result = labelled(test);
  if (traced) result.loss = graph.name(sum(square(learned - train.wanted)), "loss", {});
  const auto scope = graph.scope("kernel.shape");
  draw_kernel(graph, choice_, w);
  return result;
}

std::unique_ptr<train::Optimizer> KernelRegression::optimizer(train::Parameters parameters) {
  return train::make_optimizer(config_.optimizer, std::move(parameters), static_cast<float>(config_.learning_rate));
}

train::Task::Batch KernelRegression::forward(Graph& graph, std::size_t) {
  const std::size_t n = data_.x_train.size();
  const Var keys = graph.constant(keys_of_each(data_.x_train, config_.leave_one_out));
  const Var values = graph.constant(keys_of_each(data_.y_train, config_.leave_one_out));
  const Var queries = graph.constant(data_.x_train.reshaped({n, 1}));
  const std::size_t m = keys.size(1);
  const Var weights = softmax(gaussian_scores((queries - keys) * graph.parameter(w_)));
  const Var prediction = matmul(reshape(weights, {n, 1, m}), reshape(values, {n, m, 1}));
  Batch batch;
  batch.objective = sum(square(reshape(prediction, {n}) - graph.constant(data_.y_train)));
  batch.loss = batch.objective.value().item();
  batch.items = static_cast<double>(n);
  return batch;
}

std::map<std::string, double> KernelRegression::metrics(double loss, double) const { return {{"squared_error", loss}}; }

}  // namespace attn::models
