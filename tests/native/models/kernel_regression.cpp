#include "models/kernel_regression.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/json.hpp"
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

namespace {

/// One run with a kernel of one's choice, from data that are set to suit.
struct Chosen {
  std::unique_ptr<models::Model> model;
  Edits edits;
  std::unique_ptr<Graph> graph;

  explicit Chosen(const Json& inputs, models::KernelRegressionConfig config = {},
                  const std::vector<float>& x_train = {}) {
    if (!x_train.empty()) {
      Edit edit;
      edit.values = x_train;
      edits.emplace("data.x_train", edit);
    }
    graph = std::make_unique<Graph>(Graph::Options{.edits = edits.empty() ? nullptr : &edits});
    model = std::make_unique<KernelRegression>(config);
    engine::FieldReader reader(inputs, "inputs");
    model->inputs(reader);
    model->run(*graph);
  }
  const Tensor& operator[](const std::string& name) const { return step(*graph, name).value; }
  double at(const std::string& name, const Cell& cell = {}) const { return (*this)[name].at(cell); }
};

Json kernel(const std::string& name, double width = 1.0) { return {{"kernel", name}, {"width", width}}; }
Json formula(const std::string& text) { return {{"kernel", "formula"}, {"formula", text}}; }

/// K(u) of a name, for checking.
double kernel_value(const std::string& name, double u) {
  if (name == "boxcar") return std::abs(u) < 1 ? 1.0 : 0.0;
  if (name == "triangular") return std::max(0.0, 1 - std::abs(u));
  if (name == "epanechnikov") return std::max(0.0, 1 - u * u);
  return name == "gaussian" ? std::exp(-u * u / 2) : 1.0;
}

std::string refusal(const Json& inputs) {
  try {
    Chosen run(inputs);
  } catch (const DataError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE(
    "kernel regression: each kernel's weights are its values over their sum, 1 - |u| is the triangular one (B30)") {
  for (const char* name : {"gaussian", "boxcar", "triangular", "epanechnikov", "constant"})
    for (const double width : {1.0, 0.6}) {
      INFO(std::string(name), " of width ", width);
      const Chosen run(kernel(name, width));
      const Tensor &distance = run["distance"], &weights = run["kernel.weights"];
      double total = 0.0;
      for (std::size_t key = 0; key < 50; ++key) total += kernel_value(name, distance.at(Cell{20, key}) / width);
      REQUIRE(total > 0.0);
      for (std::size_t key = 0; key < 50; ++key)
        CHECK(std::abs(weights.at(Cell{20, key}) - kernel_value(name, distance.at(Cell{20, key}) / width) / total) <
              2e-6);
      for (std::size_t i = 0; i < 121; ++i) {
        if (std::abs(std::abs(run["kernel.shape.distance"].values()[i]) - width) < 1e-4) continue;  // the boxcar's edge
        CHECK(error_of(run["kernel.shape.similarity"].values()[i],
                       kernel_value(name, run["kernel.shape.distance"].values()[i] / width)) < 1e-5);
      }
    }
}

TEST_CASE(
    "kernel regression: the Gaussian of width 1 is the fixed form, a width is one over w, the constant is the "
    "average") {
  const Chosen one(kernel("gaussian")), narrow(kernel("gaussian", 0.25)), flat(kernel("constant"));
  CHECK(largest_error(one["kernel.prediction"], one["fixed.prediction"]) == 0.0);
  CHECK(largest_error(flat["kernel.prediction"], flat["average.prediction"]) < 1e-6);
  CHECK(flat.at("roughness.kernel") < 1e-3);
  models::KernelRegressionConfig config;
  config.random_w = false;
  config.first_w = 4.0;
  const Chosen given(kernel("gaussian", 0.25), config);
  CHECK(given.at("learned.w", {0}) == 4.0);
  CHECK(largest_error(given["learned.prediction"], given["kernel.prediction"]) < 1e-6);
  CHECK(largest_error(narrow["kernel.weights"], given["kernel.weights"]) == 0.0);  // w does not touch the data
}

TEST_CASE(
    "kernel regression: a query without neighbours is a gap: weights 0, marked, out of the errors, never NaN (B29)") {
  std::vector<float> x(50);
  for (std::size_t i = 0; i < 50; ++i)
    x[i] = (i < 25 ? 0.0F : 4.0F) + static_cast<float>(i % 25) * 0.04F;  // nobody in [1, 4)
  for (const char* name : {"boxcar", "triangular", "epanechnikov"}) {
    const Chosen run(kernel(name), {}, x);
    INFO(std::string(name));
    CHECK(run.at("kernel.has_data", {25}) == 0.0);  // 2.5 is 1.5 from all
    CHECK(run.at("kernel.has_data", {10}) == 1.0);
    CHECK(run.at("kernel.prediction", {25}) == 0.0);
    double covered = 0.0, error = 0.0;
    for (std::size_t query = 0; query < 50; ++query) {
      double row = 0.0;
      for (std::size_t key = 0; key < 50; ++key) row += run.at("kernel.weights", {query, key});
      CHECK(row == doctest::Approx(run.at("kernel.has_data", {query})));
      covered += run.at("kernel.has_data", {query});
      if (run.at("kernel.has_data", {query}) > 0.0)
        error += std::pow(run.at("kernel.prediction", {query}) - run.at("data.truth", {query}), 2.0);
    }
    CHECK(covered < 50.0);
    CHECK(run.at("kernel.covered") == doctest::Approx(covered / 50.0));
    CHECK(run.at("kernel.error") == doctest::Approx(error / covered));
    CHECK(std::isfinite(run.at("roughness.kernel")));
  }
}

TEST_CASE("kernel regression: one's own kernel, even one that prefers the far, is a kernel like the others") {
  const Chosen run(formula("exp(-u^2/2)"));
  CHECK(largest_error(run["kernel.weights"], run["fixed.weights"]) < 1e-6);
  CHECK(largest_error(run["kernel.-u^2/2"], run["fixed.scores"]) == 0.0);
  const Chosen far(formula("abs(u)"));
  const Tensor& weights = far["kernel.weights"];
  CHECK(weights.at(Cell{0, 49}) > 10 * weights.at(Cell{0, 0}));  // the farthest key weighs most
  CHECK(far.at("kernel.error") > far.at("fixed.error"));
  const Chosen itself(formula("u*u")), plain(formula("2"));
  CHECK(largest_error(plain["kernel.prediction"], plain["average.prediction"]) < 1e-6);
  check_values_explained(*far.graph, 5, "kernel explanations", "abs(u)");
  Chosen learned(formula("exp(-(u*w)^2/2)"));
  CHECK(largest_error(learned["kernel.weights"], learned["learned.weights"]) < 1e-6);
  learned.graph->backward(
      Var(learned.graph->nodes()[static_cast<std::size_t>(step(*learned.graph, "kernel.error").id)]));
  check_gradients_explained(*learned.graph, 5, "kernel explanations", "exp(-(u*w)^2/2)");
  CHECK(step(*learned.graph, "learned.w").gradient.item() != 0.0F);
}

TEST_CASE(
    "kernel regression: a formula that gives no weight is refused with the place, one that cannot be read with the "
    "column") {
  CHECK(refusal(formula("u")).starts_with("formula: u gives -"));
  CHECK(refusal(formula("sqrt(0-1)")).starts_with("formula: sqrt(0-1) gives no number at u = "));
  CHECK(refusal(formula("exp(-u^2")).starts_with("formula, column 9: "));
  CHECK(refusal({{"kernel", "boxcar"}, {"formula", "exp("}}) == "");  // not asked for
}

TEST_CASE("kernel regression: training errors are those that training sees, and judge as the loss does") {
  for (const bool leave_one_out : {true, false}) {
    models::KernelRegressionConfig config;
    config.leave_one_out = leave_one_out;
    Chosen run(Json::object(), config);
    Graph training({.record = Record::backward, .training = true});
    const double loss = run.model->task()->forward(training, 0).loss;
    CHECK(run.at("train.learned.error") == doctest::Approx(loss / 50.0));
    CHECK(run["train.distance"].shape() == Shape{50, leave_one_out ? 49U : 50U});
    CHECK(run.at("train.average.error") > run.at("train.fixed.error"));
  }
}

TEST_CASE("kernel regression: a narrow kernel is rougher than a wide one, and a line is not rough") {
  const auto roughness = [](double width) { return Chosen(kernel("gaussian", width)).at("roughness.kernel"); };
  CHECK(roughness(0.1) > 3 * roughness(0.3));
  CHECK(roughness(0.3) > roughness(1.0));
  const Chosen run(Json::object());
  CHECK(run.at("roughness.average") < 1e-3);
  double sum = 0.0;
  const Tensor& y = run["fixed.prediction"];
  for (std::size_t i = 1; i < 49; ++i)
    sum += std::pow((y.values()[i - 1] - 2.0 * y.values()[i] + y.values()[i + 1]) * 100.0, 2.0);
  CHECK(run.at("roughness.fixed") == doctest::Approx(std::sqrt(sum / 48.0)).epsilon(1e-3));
}

TEST_CASE(
    "kernel regression: with many points the training error is the same number, but keeps nothing of what made it") {
  models::KernelRegressionConfig config;
  config.n = 201;
  Chosen run(kernel("triangular"), config);
  Graph training({.record = Record::backward, .training = true});
  CHECK(run.at("train.learned.error") == doctest::Approx(run.model->task()->forward(training, 0).loss / 201.0));
  CHECK(step(*run.graph, "train.kernel.error").kind == Node::Kind::input);
  CHECK(run.at("train.kernel.error") > 0.1);
  std::size_t largest = 0;
  for (const NodePtr& node : run.graph->nodes()) largest = std::max(largest, node->value.size());
  CHECK(largest == 50 * 201);
}

TEST_CASE("kernel regression: the other edition has a steeper curve") {
  models::KernelRegressionConfig config;
  config.edition = "en";
  config.n = 40;
  config.noise = 1.0;
  const Chosen run(Json::object(), config);
  for (const std::size_t i : {0U, 7U, 20U, 33U, 49U}) {
    const double x = static_cast<double>(i) / 10.0;
    CHECK(run.at("data.truth", {i}) == doctest::Approx(2 * std::sin(x) + x).epsilon(1e-6));
  }
  CHECK(run["data.x_train"].size() == 40);
}

TEST_CASE("kernel regression: w = 0 is a dead start: no gradient, so no step; and only |w| matters (B28)") {
  models::KernelRegressionConfig config;
  config.random_w = false;
  config.first_w = 0.0;
  KernelRegression model(config);
  train::Trainer trainer(model, model.parameters(), model.optimizer(model.parameters()), model.settings());
  trainer.advance(1e3);
  CHECK(trainer.progress().epoch == 5);
  CHECK(model.parameters()[0]->value.item() == 0.0F);
  const auto loss_after = [&config](double w) {
    config.first_w = w;
    KernelRegression m(config);
    train::Trainer t(m, m.parameters(), m.optimizer(m.parameters()), m.settings());
    return t.advance(1e3).history.back().at("squared_error");
  };
  CHECK(loss_after(0.4) == loss_after(-0.4));
}

TEST_CASE("kernel regression: every number of a run is explained, forward and back") {
  GoldenRegression r("kernel_regression");
  Graph graph({});
  r.model.run(graph);
  graph.backward(Var(graph.nodes()[static_cast<std::size_t>(step(graph, "learned.error").id)]));
  check_values_explained(graph, 10, "net explanations of values", "kernel regression");
  check_gradients_explained(graph, 10, "net explanations of gradients", "kernel regression");
}
