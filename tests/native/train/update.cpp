#include "train/update.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/translator.hpp"
#include "ops/arithmetic.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "support/compare.hpp"
#include "support/explained.hpp"
#include "support/random.hpp"

using namespace attn;
using namespace attn::test;
using namespace attn::train;

namespace {

const Node* find(const Graph& graph, const std::string& name) {
  const Node* out = nullptr;
  for (const NodePtr& node : graph.nodes())
    if (node->name == name) out = node.get();
  return out;
}

const Tensor& step(const Graph& graph, const std::string& name) {
  const Node* node = find(graph, name);
  if (node == nullptr) FAIL("no step " << name);
  return node->value;
}

/// A matrix and a vector to learn, and a loss of both that changes from round to round.
struct Learner {
  Parameter matrix{random({4, 3}, 1), {}, "dense.weight"}, vector{random({3}, 2), {}, "dense.bias"};
  Parameters parameters{&matrix, &vector};

  Var loss(Graph& graph, int round, float size = 1.0F) {
    const Var x = graph.constant(random({5, 4}, 10 + static_cast<std::uint64_t>(round)));
    const Var y = matmul(x, graph.parameter(matrix)) + graph.parameter(vector);
    return scale(sum(square(y)), size);
  }
};

/// The recorded weight after the step against the real one: one rounding of the weight, and 1e-6 of the change.
double excess(float got, float want, float before) {
  return std::abs(static_cast<double>(got) - want) / (1.2e-7 * std::abs(want) + 1e-6 * std::abs(want - before));
}

/// Records the update of a round, then makes it, and holds the one to the other.
void check_round(Learner& learner, Optimizer& optimizer, int round, double limit, float size, const char* topic) {
  Graph graph({});
  graph.backward(learner.loss(graph, round, size));
  record_update(graph, optimizer, limit);
  std::vector<Tensor> before;
  for (Parameter* p : learner.parameters) {
    CHECK_FALSE(p->gradient);  // looking leaves no trace
    before.push_back(p->value.copy());
    p->gradient = step(graph, "update." + p->name + ".gradient").copy();
  }
  check_values_explained(graph, 4, std::string("update explanations, ") + topic, std::to_string(round));
  clip_gradients(learner.parameters, limit > 0.0 ? limit : INFINITY);
  optimizer.step();
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Parameter& p = *learner.parameters[i];
    const Tensor& recorded = step(graph, "update." + p.name + ".value");
    REQUIRE(recorded.shape() == p.value.shape());
    for (std::size_t j = 0; j < recorded.size(); ++j) {
      const double over = excess(recorded.data()[j], p.value.data()[j], before[i].data()[j]);
      CHECK(over <= 1.0);
      measured(std::string("update recorded against made, ") + topic, over, p.name);
    }
  }
}

}  // namespace

TEST_CASE("update: the recorded step of Adam is the one that is made, over several steps, clipped and not") {
  for (const double limit : {0.0, 1.0, 1e6}) {
    Learner learner;
    Adam adam(learner.parameters, 0.05F);
    for (int round = 0; round < 6; ++round) {
      check_round(learner, adam, round, limit, 1.0F, "adam");
      const Optimizer::Memory memory = adam.memory();
      CHECK(memory.steps == round + 1);
    }
  }
}

TEST_CASE("update: the recorded step of gradient descent is the one that is made, clipped and not") {
  for (const double limit : {0.0, 1.0, 1e6}) {
    Learner learner;
    Sgd sgd(learner.parameters, 0.01F);
    for (int round = 0; round < 4; ++round) check_round(learner, sgd, round, limit, 1.0F, "sgd");
  }
}

TEST_CASE("update: gradients so small that epsilon counts are stepped alike") {
  Learner learner;
  Adam adam(learner.parameters, 0.05F);
  for (int round = 0; round < 3; ++round) check_round(learner, adam, round, 1.0, 1e-9F, "adam, tiny gradients");
}

TEST_CASE("update: the moments recorded are those that Adam then has") {
  Learner learner;
  Adam adam(learner.parameters, 0.05F);
  for (int round = 0; round < 3; ++round) {
    Graph graph({});
    graph.backward(learner.loss(graph, round));
    record_update(graph, adam, 0.0);
    for (Parameter* p : learner.parameters) p->gradient = step(graph, "update." + p->name + ".gradient").copy();
    adam.step();
    for (const auto& [name, tensor] : adam.memory().tensors)
      CHECK(largest_error(step(graph, "update." + name.substr(2) + "." + name[0]), tensor) <= 1e-6);
    CHECK(step(graph, "update.t").item() == static_cast<float>(round + 1));
  }
}

TEST_CASE("update: the norm is that of all gradients together, and the factor brings it to the limit") {
  Learner learner;
  Sgd sgd(learner.parameters, 0.01F);
  Graph graph({});
  graph.backward(learner.loss(graph, 0));
  record_update(graph, sgd, 0.5);
  double squares = 0.0, clipped = 0.0;
  for (const Parameter* p : learner.parameters) {
    for (const float g : step(graph, "update." + p->name + ".gradient").values()) squares += static_cast<double>(g) * g;
    for (const float g : step(graph, "update." + p->name + ".clipped").values()) clipped += static_cast<double>(g) * g;
  }
  CHECK(step(graph, "update.norm").item() == doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
  CHECK(step(graph, "update.clip").item() == doctest::Approx(0.5 / std::sqrt(squares)).epsilon(1e-6));
  CHECK(std::sqrt(clipped) == doctest::Approx(0.5).epsilon(1e-6));
  CHECK(step(graph, "update.dense.weight.squares").shape() == Shape{4});
  CHECK(find(graph, "update.dense.bias.squares") == nullptr);  // a vector's sum is short enough
}

TEST_CASE("update: a weight opens into learning rate, moments and epsilon, each by its symbol") {
  Learner learner;
  Adam adam(learner.parameters, 0.05F);
  Graph graph({});
  graph.backward(learner.loss(graph, 0));
  record_update(graph, adam, 1.0);
  const Expr value = graph.explain(*find(graph, "update.dense.weight.value"), {1, 2}).expr;
  REQUIRE(value.kind == Expr::Kind::sub);
  CHECK(value.of[0].node == find(graph, "dense.weight")->id);
  const Expr& change = value.of[1];
  CHECK(change.of[0].of[0].symbol == "η");
  CHECK(change.of[0].of[1].node == find(graph, "update.dense.weight.m_hat")->id);
  CHECK(change.of[1].of[1].symbol == "ε");
  const Expr m = graph.explain(*find(graph, "update.dense.weight.m"), {1, 2}).expr;
  CHECK(m.of[0].of[0].symbol == "β₁");
  CHECK(m.of[1].of[1].node == find(graph, "update.dense.weight.clipped")->id);
  const Expr gradient = graph.explain(*find(graph, "update.dense.weight.gradient"), {1, 2}).expr;
  CHECK(gradient.gradient);
  CHECK(gradient.node == find(graph, "dense.weight")->id);
  const Expr clip = graph.explain(*find(graph, "update.clip"), {}).expr;
  CHECK(clip.of[0].symbol == "limit");
}

TEST_CASE("update: an edit of any of its steps carries on to the weights") {
  Learner learner;
  Adam adam(learner.parameters, 0.05F);
  Edits edits;
  edits.emplace("update.clip", Edit{.cell = {}, .value = 0.0F});
  edits.emplace("dense.bias", Edit{.cell = {0}, .value = 7.0F});
  Graph graph({.edits = &edits});
  graph.backward(learner.loss(graph, 0));
  record_update(graph, adam, 1.0);
  CHECK(largest_error(step(graph, "update.dense.weight.value"), learner.matrix.value) == 0.0);  // nothing is learned
  CHECK(step(graph, "update.dense.bias.value").data()[0] == 7.0F);
  CHECK(step(graph, "update.dense.bias.gradient").data()[0] != 0.0F);  // what it would be for that number
  check_values_explained(graph, 4, "update explanations, edited", "update.cpp");
}

TEST_CASE("update: a parameter that the loss does not use is left out, and without any there is none") {
  Learner learner;
  Sgd sgd(learner.parameters, 0.1F);
  Graph graph({});
  const Var unused = square(graph.parameter(learner.vector));
  graph.backward(sum(square(graph.parameter(learner.matrix))));
  record_update(graph, sgd, 1.0);
  CHECK(find(graph, "update.dense.weight.value") != nullptr);
  CHECK(find(graph, "update.dense.bias.value") == nullptr);
  Graph other({});
  other.backward(sum(square(other.input("x", {"key"}, Tensor::full({2}, 1.0F), true))));
  CHECK_THROWS_AS(record_update(other, sgd, 1.0), ConfigError);
}

TEST_CASE("update: a gradient that is not finite is told") {
  Learner learner;
  learner.vector.value.mutable_values()[0] = 3e38F;
  Sgd sgd(learner.parameters, 0.1F);
  Graph graph({});
  graph.backward(learner.loss(graph, 0));
  CHECK_THROWS_AS(record_update(graph, sgd, 1.0), Error);
}

TEST_CASE("optimisers: by name, and a name that is none is refused") {
  Learner learner;
  CHECK(make_optimizer("adam", learner.parameters, 0.1F)->remembers());
  CHECK_FALSE(make_optimizer("sgd", learner.parameters, 0.1F)->remembers());
  CHECK_THROWS_AS(make_optimizer("adamw", learner.parameters, 0.1F), ConfigError);
}
