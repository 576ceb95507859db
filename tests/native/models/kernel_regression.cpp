#include "models/kernel_regression.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/compare.hpp"
#include "support/explained.hpp"
#include "support/golden.hpp"

using namespace attn;
using namespace attn::test;
using models::KernelRegression;

namespace {

struct GoldenRegression {
  Json golden;
  KernelRegression model;

  explicit GoldenRegression(const std::string& name)
      : golden(test::golden("models/" + name + ".json")),
        model(config(golden)) {}

  static models::KernelRegressionConfig config(const Json& json) {
    models::KernelRegressionConfig c;
    c.n = json.at("n").get<int>();
    c.seed = json.at("seed").get<int>();
    c.leave_one_out = json.at("leave_one_out").get<bool>();
    return c;
  }
  float w() { return model.parameters()[0]->value.item(); }
};

const Node& step(const Graph& graph, const std::string& name) {
  const auto found = std::ranges::find_if(graph.nodes(), [&](const NodePtr& node) { return node->name == name; });
  INFO("step ", name);
  REQUIRE(found != graph.nodes().end());
  return **found;
}

void check(const std::string& topic, double error, double tolerance) {
  INFO(topic);
  CHECK(error <= tolerance);
  measured(topic, error, "");
}

const std::initializer_list<std::string> kGoldens = {"kernel_regression", "kernel_regression_with_itself"};

}  // namespace

TEST_CASE("kernel regression: data and first w come from the seed by the documented generator") {
  for (const std::string& name : kGoldens) {
    GoldenRegression r(name);
    Graph graph({});
    r.model.run(graph);
    for (const auto& [key, want] : r.golden.at("data").items())
      check_close(key, step(graph, "data." + key).value, tensor_of(want), 3e-7);
    CHECK(r.w() == tensor_of(r.golden.at("w")).item());
  }
}

TEST_CASE("kernel regression: the learned form predicts as PyTorch does, with PyTorch's weights") {
  for (const std::string& name : kGoldens) {
    GoldenRegression r(name);
    Graph graph({});
    r.model.run(graph);
    const Tensor &prediction = step(graph, "learned.prediction").value, &weights = step(graph, "learned.weights").value;
    check_close("prediction", prediction, tensor_of(r.golden.at("prediction")), 2e-6);
    check_close("weights", weights, tensor_of(r.golden.at("weights")), 5e-7);
    measured("kernel regression prediction", largest_error(prediction, tensor_of(r.golden.at("prediction"))), name);
    measured("kernel regression weights", largest_error(weights, tensor_of(r.golden.at("weights"))), name);
  }
}

TEST_CASE(
    "kernel regression: with w = 1 the learned form is the fixed one, with w = 0 the average; w and -w are the same") {
  GoldenRegression r("kernel_regression");
  const auto prediction = [&r](float w, const std::string& form) {
    r.model.parameters()[0]->value = Tensor::of({1}, {w});
    Graph graph({});
    r.model.run(graph);
    return step(graph, form + ".prediction").value;
  };
  CHECK(largest_error(prediction(1.0F, "learned"), prediction(1.0F, "fixed")) <= 1e-6);
  CHECK(largest_error(prediction(0.0F, "learned"), prediction(0.0F, "average")) <= 1e-6);
  CHECK(largest_error(prediction(3.0F, "learned"), prediction(-3.0F, "learned")) == 0.0);
  CHECK(largest_error(prediction(3.0F, "learned"), prediction(1.0F, "learned")) > 0.01);
}

// Measured: losses 4.5e-7, dw 8.7e-7, w 2.5e-7.
TEST_CASE("kernel regression: loss, dw and w are PyTorch's over five steps of SGD") {
  for (const std::string& name : kGoldens) {
    GoldenRegression r(name);
    const train::Parameters parameters = r.model.parameters();
    train::Trainer trainer(*r.model.task(), parameters, r.model.optimizer(parameters), r.model.settings());
    for (std::size_t i = 0; i < 5; ++i) {
      const auto want = [&](const char* key) { return r.golden.at(key).at(i).get<double>(); };
      const train::Progress& progress = trainer.advance(0.0);
      check("kernel regression losses", std::abs(progress.history.back().at("squared_error") / want("losses") - 1.0),
            1e-5);
      check("kernel regression dw", std::abs(progress.gradient_norm / std::abs(want("w_gradients")) - 1.0), 1e-5);
      check("kernel regression w", std::abs(r.w() / want("ws") - 1.0), 1e-5);
    }
    CHECK(trainer.progress().state == train::Progress::State::done);
  }
}

TEST_CASE("kernel regression: every number of a run is explained, forward and back") {
  GoldenRegression r("kernel_regression");
  Graph graph({});
  r.model.run(graph);
  graph.backward(Var(graph.nodes()[static_cast<std::size_t>(step(graph, "learned.error").id)]));
  check_values_explained(graph, 10, "net explanations of values", "kernel regression");
  check_gradients_explained(graph, 10, "net explanations of gradients", "kernel regression");
}
