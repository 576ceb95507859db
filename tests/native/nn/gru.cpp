#include "nn/gru.hpp"

#include <doctest/doctest.h>

#include <set>

#include "ops/arithmetic.hpp"
#include "ops/reduce.hpp"
#include "support/compare.hpp"
#include "support/random.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// A sequence through a GRU in one of the record modes: outputs, and the gradients of its weights and input.
struct Sequence {
  Tensor output, last;
  std::vector<Tensor> gradients;

  Sequence(Record record, std::size_t hidden) {
    Rng rng(3);
    nn::GRU gru(4, hidden, 2, 0.0F, rng);
    Parameter x{random({3, 5, 4}, 4), {}, "x"};
    Graph graph({.record = record});
    nn::GRU::State state = gru.zero_state(graph, 3);
    const Var out = gru.sequence(graph.parameter(x), state, "time").back();
    graph.backward(sum(square(out)) + sum(state[0]));
    output = out.value();
    last = state[1].value();
    gru.visit("rnn", [&](const std::string&, Parameter& p) { gradients.push_back(gradient(graph, p)); });
    gradients.push_back(gradient(graph, x));
  }
  static Tensor gradient(Graph& graph, Parameter& p) {
    return graph.recording() ? graph.parameter(p).gradient() : p.gradient;
  }
};

}  // namespace

// Measured: 4.8e-7.
TEST_CASE("gru: the composed form, which recording uses, and the fused one give the same outputs and gradients") {
  for (const std::size_t hidden : {1U, 5U, 8U, 17U}) {
    const Sequence composed(Record::everything, hidden), fused(Record::backward, hidden);
    check_close("output", fused.output, composed.output, 1e-6);
    REQUIRE(fused.gradients.size() == 9);
    for (std::size_t i = 0; i < 9; ++i) {
      check_close("gradient " + std::to_string(i), fused.gradients[i], composed.gradients[i], 3e-6);
      measured("nn gru, fused against composed", largest_error(fused.gradients[i], composed.gradients[i]), "");
    }
  }
}

TEST_CASE("gru: a sequence is its steps one after the other, and the state is that after the last") {
  Rng rng(5);
  nn::GRU gru(4, 6, 3, 0.0F, rng);
  const Tensor x = random({2, 4, 4}, 6);
  Graph graph({.record = Record::nothing});
  nn::GRU::State whole = gru.zero_state(graph, 2), stepped = gru.zero_state(graph, 2);
  const Vars outputs = gru.sequence(graph.constant(x), whole, "time");
  REQUIRE(outputs.size() == 3);
  for (std::size_t t = 0; t < 4; ++t) {
    Tensor at({2, 4});
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t i = 0; i < 4; ++i) at.mutable_values()[b * 4 + i] = x.at(Cell{b, t, i});
    const Var top = gru.step(graph.constant(at), stepped);
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t i = 0; i < 6; ++i)
        CHECK(error_of(top.value().at(Cell{b, i}), outputs[2].value().at(Cell{b, t, i})) <= 1e-6);
  }
  for (std::size_t layer = 0; layer < 3; ++layer)
    check_close("state", whole[layer].value(), stepped[layer].value(), 1e-6);
}

TEST_CASE("gru: names its gates at each turn of the loop, and the hidden states of each layer") {
  Rng rng(7);
  nn::GRU gru(3, 2, 2, 0.0F, rng);
  Graph graph({});
  nn::GRU::State state = gru.zero_state(graph, 1);
  const auto scope = graph.scope("encoder");
  gru.sequence(graph.constant(random({1, 4, 3}, 8)), state, "key");
  std::map<std::string, std::set<int>> turns;
  for (const NodePtr& node : graph.nodes())
    if (!node->name.empty() && node->kind == Node::Kind::computed) turns[node->name].insert(node->turn);
  for (const std::string layer : {"encoder.0.", "encoder.1."}) {
    for (const std::string step : {"reset", "update", "candidate", "state"})
      CHECK(turns[layer + step] == std::set{0, 1, 2, 3});
    CHECK(turns[layer + "hidden"] == std::set{-1});
  }
}

TEST_CASE("gru: dropout acts between layers in training, not behind the last, and not at prediction") {
  Rng rng(9);
  nn::GRU two(4, 6, 2, 0.9F, rng), one(4, 6, 1, 0.9F, rng);
  const auto output = [&](nn::GRU& gru, bool training, std::uint64_t seed) {
    Rng draws(seed);
    Graph graph({.record = Record::nothing, .training = training, .rng = &draws});
    nn::GRU::State state = gru.zero_state(graph, 2);
    return gru.sequence(graph.constant(random({2, 3, 4}, 10)), state, "time").back().value();
  };
  CHECK(largest_error(output(two, true, 1), output(two, true, 2)) > 0.0);
  CHECK(largest_error(output(two, false, 1), output(two, false, 2)) == 0.0);
  CHECK(largest_error(output(one, true, 1), output(one, false, 2)) == 0.0);
}

TEST_CASE("gru: its parameters have PyTorch's names and shapes, gates stacked") {
  Rng rng(11);
  nn::GRU gru(4, 6, 2, 0.0F, rng);
  std::map<std::string, Shape> shapes;
  gru.visit("rnn", [&](const std::string& path, Parameter& p) { shapes[path] = p.value.shape(); });
  CHECK(shapes.size() == 8);
  CHECK(shapes["rnn.weight_ih_l0"] == Shape{18, 4});
  CHECK(shapes["rnn.weight_hh_l0"] == Shape{18, 6});
  CHECK(shapes["rnn.weight_ih_l1"] == Shape{18, 6});
  CHECK(shapes["rnn.bias_ih_l0"] == Shape{18});
  CHECK(shapes["rnn.bias_hh_l1"] == Shape{18});
}
