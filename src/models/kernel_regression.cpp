#include "models/kernel_regression.hpp"

#include <algorithm>
#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"

namespace attn::models {
namespace {

constexpr std::size_t kQueries = 50;

double function(double x) { return 2.0 * std::sin(x) + std::pow(x, 0.8); }

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

/// −u²/2: the exponent of the Gaussian kernel.
Var gaussian_scores(const Var& distance) { return scale(square(distance), -0.5F, "−1/2"); }

/// From scores on: weights, prediction and error, each with its name.
void pool(const Var& scores, const Var& values, const Var& truth) {
  Graph& graph = scores.graph();
  const std::size_t queries = scores.size(0), keys = scores.size(1);
  const Var weights = graph.name(softmax(scores), "weights", {"query", "key"});
  const Var column = matmul(weights, reshape(values, {keys, 1}));
  const Var prediction = graph.name(reshape(column, {queries}), "prediction", {"query"});
  graph.name(mean(square(prediction - truth)), "error", {});
}

}  // namespace

void KernelRegressionConfig::fields(FieldVisitor& v) {
  v.integer("n", n, 2, 1000, "training points");
  v.number("noise", noise, 0.0, 10.0, "standard deviation of the noise in y");
  v.integer("seed", seed, 0, 1 << 30, "of the data and of the first w");
  v.choice("optimizer", optimizer, train::optimizers(), "how w follows its gradient");
  v.number("learning_rate", learning_rate, 1e-6, 10.0, "of the optimiser");
  v.integer("epochs", epochs, 1, 10000, "passes over the training points");
  v.boolean("leave_one_out", leave_one_out, "in training, a point is predicted from the others only");
}

RegressionData::RegressionData(std::size_t n, double noise, Rng& rng)
    : x_train({n}),
      y_train({n}),
      x_test({kQueries}),
      truth({kQueries}) {
  rng.fill_uniform(x_train, 0.0F, 5.0F);
  std::ranges::sort(x_train.mutable_values());
  for (std::size_t i = 0; i < n; ++i)
    y_train.data()[i] = static_cast<float>(function(x_train.data()[i]) + noise * static_cast<double>(rng.normal()));
  for (std::size_t i = 0; i < kQueries; ++i) {
    x_test.data()[i] = static_cast<float>(static_cast<double>(i) / 10.0);
    truth.data()[i] = static_cast<float>(function(static_cast<double>(i) / 10.0));
  }
}

KernelRegression::KernelRegression(const KernelRegressionConfig& config)
    : config_(config),
      rng_(static_cast<std::uint64_t>(config.seed)),
      data_(static_cast<std::size_t>(config.n), config.noise, rng_) {
  w_.value = Tensor::of({1}, {rng_.uniform()});
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

Result KernelRegression::run(Graph& graph) {
  const Var keys = graph.input("data.x_train", {"key"}, data_.x_train, true);
  const Var values = graph.input("data.y_train", {"key"}, data_.y_train, true);
  const Var queries = graph.input("data.x_test", {"query"}, data_.x_test, true);
  const Var truth = graph.input("data.truth", {"query"}, data_.truth);
  const std::size_t m = queries.size(0), n = keys.size(0);
  const auto scores = [&graph](const Var& x) { return graph.name(x, "scores", {"query", "key"}); };
  {
    const auto scope = graph.scope("average");
    pool(scores(graph.constant(Tensor::zeros({m, n}))), values, truth);  // equal scores, equal weights
  }
  const Var distance = graph.name(reshape(queries, {m, 1}) - reshape(keys, {1, n}), "distance", {"query", "key"});
  {
    const auto scope = graph.scope("fixed");
    pool(scores(gaussian_scores(distance)), values, truth);
  }
  const auto scope = graph.scope("learned");
  const Var w = graph.name(graph.parameter(w_), "w", {"parameter"});
  pool(scores(gaussian_scores(distance * w)), values, truth);
  return {};
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
