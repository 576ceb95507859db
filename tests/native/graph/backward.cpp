#include <doctest/doctest.h>

#include "graph/graph.hpp"
#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"

using namespace attn;

namespace {

std::vector<float> values_of(const Tensor& x) { return {x.values().begin(), x.values().end()}; }

Var leaf(Graph& graph, const Shape& shape, std::initializer_list<float> values) {
  return graph.input("x", {}, Tensor::of(shape, values), true);
}

/// x -> x + 1/2 x … many times, each node with the one before as its input.
Var chain(const Var& x, int length) {
  Var y = x;
  for (int i = 0; i < length; ++i) y = scale(y, i % 2 == 0 ? 2.0F : 0.5F);
  return y;
}

}  // namespace

TEST_CASE("record nothing: keeps no node, no input and no op, so a value lives as long as its handle") {
  Graph graph({.record = Record::nothing});
  Parameter weight{Tensor::scalar(3.0F), {}, "w"};
  const Var w = graph.parameter(weight);
  const Var y = graph.name(square(w), "y", {});
  CHECK(y.value().item() == 9.0F);
  CHECK(graph.nodes().empty());
  CHECK(y.node().inputs.empty());
  CHECK(y.node().id == -1);
  CHECK_FALSE(y.node().needs_gradient);
  CHECK(w.ptr().use_count() == 2);  // this handle and the graph's leaf
  CHECK_THROWS_WITH_AS(graph.backward(y), "backward: this graph has recorded nothing", Error);
}

TEST_CASE("record backward: lets go of gradients, inputs and ops on the way back, and leaves the parameters theirs") {
  Graph graph({.record = Record::backward});
  Parameter weight{Tensor::scalar(3.0F), {}, "w"};
  const Var y = square(graph.parameter(weight));
  const Var total = sum(y);
  graph.backward(total);
  CHECK(weight.gradient.item() == 6.0F);
  for (const NodePtr& node : graph.nodes()) {
    CHECK_FALSE(node->gradient);
    CHECK(node->inputs.empty());
    CHECK(node->op == nullptr);
  }
}

TEST_CASE("record backward: a second pass over a released graph is refused, and after clear() it begins anew") {
  Graph graph({.record = Record::backward});
  Parameter weight{Tensor::scalar(3.0F), {}, "w"};
  const Var y = square(graph.parameter(weight));
  graph.backward(y);
  CHECK_THROWS_WITH_AS(graph.backward(y),
                       "backward: this graph was released by a pass before; only one that records all goes twice",
                       Error);
  CHECK(weight.gradient.item() == 6.0F);  // and not 0, or 12
  graph.clear();
  graph.backward(square(graph.parameter(weight)));
  CHECK(weight.gradient.item() == 12.0F);
}

TEST_CASE("record everything: a second pass gives the same gradients again") {
  Graph graph({});
  const Var x = leaf(graph, {}, {3});
  const Var y = square(x);
  graph.backward(y);
  graph.backward(y);
  CHECK(x.gradient().item() == 6.0F);
}

TEST_CASE("record backward: keeps no inputs of a node without gradient, so constants can be released") {
  Graph graph({.record = Record::backward});
  const Var y = square(graph.constant(Tensor::scalar(2.0F)));
  CHECK(y.node().inputs.empty());
}

TEST_CASE("record backward: gives steps no names, which cost time and memory") {
  Graph graph({.record = Record::backward});
  CHECK(graph.name(square(graph.constant(Tensor::scalar(2.0F))), "y", {"key"}).node().name.empty());
}

TEST_CASE("record everything: keeps values, gradients and ops, and leaves the parameters as they are") {
  Graph graph({});
  Parameter weight{Tensor::scalar(3.0F), {}, "w"};
  const Var w = graph.parameter(weight), y = square(w);
  graph.backward(y);
  CHECK(w.gradient().item() == 6.0F);
  CHECK(y.gradient().item() == 1.0F);
  CHECK(y.node().op != nullptr);
  CHECK_FALSE(weight.gradient);  // looking never disturbs learning
}

TEST_CASE("backward: a parameter's gradient is summed over the training graphs until it is taken") {
  Parameter weight{Tensor::scalar(3.0F), {}, "w"};
  for (int i = 1; i <= 3; ++i) {
    Graph graph({.record = Record::backward});
    graph.backward(square(graph.parameter(weight)));
    CHECK(weight.gradient.item() == 6.0F * static_cast<float>(i));
  }
  Graph looking({});
  looking.backward(square(looking.parameter(weight)));
  CHECK(weight.gradient.item() == 18.0F);
}

TEST_CASE("backward: two parameters never share the buffer of one gradient") {
  Parameter a{Tensor::scalar(1.0F), {}, "a"}, b{Tensor::scalar(2.0F), {}, "b"};
  Graph graph({.record = Record::backward});
  graph.backward(graph.parameter(a) + graph.parameter(b));  // one gradient for both
  REQUIRE(a.gradient.data() != b.gradient.data());
  a.gradient.mutable_values()[0] = 100.0F;
  CHECK(b.gradient.item() == 1.0F);
}

TEST_CASE("backward: starts from the cell that is named, with the seed that is given") {
  Graph graph({});
  const Var x = leaf(graph, {2, 2}, {1, 2, 3, 4});
  const Var y = square(x);
  graph.backward(y, 0.5F, {1, 0});
  CHECK(values_of(x.gradient()) == std::vector<float>{0, 0, 3, 0});
  CHECK(values_of(y.gradient()) == std::vector<float>{0, 0, 0.5F, 0});
}

TEST_CASE("backward: a second start forgets the first") {
  Graph graph({});
  const Var x = leaf(graph, {2}, {1, 2});
  const Var y = square(x), z = exp(x);
  graph.backward(y, 1.0F, {0});
  graph.backward(y, 1.0F, {1});
  CHECK(values_of(x.gradient()) == std::vector<float>{0, 4});
  graph.backward(sum(z));
  CHECK_FALSE(y.gradient());
}

TEST_CASE("backward: from a tensor of many numbers needs a cell, and one that lies inside") {
  Graph graph({});
  const Var y = square(leaf(graph, {2, 2}, {1, 2, 3, 4}));
  CHECK_THROWS_WITH_AS(graph.backward(y), "backward: starts from one number; name a cell of a tensor of shape [2, 2]",
                       ShapeError);
  CHECK_THROWS_AS(graph.backward(y, 1.0F, {0, 2}), ShapeError);
  CHECK_THROWS_AS(graph.backward(y, 1.0F, {0}), ShapeError);
}

TEST_CASE("backward: what several consumers use gets the sum of their shares") {
  Graph graph({});
  const Var x = leaf(graph, {2}, {3, 5});
  const Var y = x * x + scale(x, 10.0F) - x;  // the product uses it twice
  graph.backward(sum(y));
  CHECK(values_of(x.gradient()) == std::vector<float>{2 * 3 + 9, 2 * 5 + 9});
}

TEST_CASE("backward: consumers that hand on their own gradient untouched do not spoil each other's") {
  Graph graph({});
  const Var x = leaf(graph, {4}, {1, 2, 3, 4});
  const Var a = reshape(x, {2, 2}), b = reshape(x, {4}), c = x + b;  // reshape and add pass one buffer on
  const Var d = slice(c, 0, 1, 2);                                   // and slice adds into its input's
  graph.backward(sum(a) + sum(c) + scale(sum(d), 10.0F));
  CHECK(values_of(c.gradient()) == std::vector<float>{1, 11, 11, 1});
  CHECK(values_of(b.gradient()) == std::vector<float>{1, 11, 11, 1});
  CHECK(values_of(a.gradient()) == std::vector<float>{1, 1, 1, 1});
  CHECK(values_of(x.gradient()) == std::vector<float>{3, 23, 23, 3});
}

TEST_CASE("backward: what the start does not depend on has no gradient, what needs none gets none") {
  Graph graph({});
  const Var x = leaf(graph, {1}, {2});
  const Var fixed = graph.constant(Tensor::of({1}, {3}));
  const Var unused = square(x), used = x * fixed;
  graph.backward(used);
  CHECK_FALSE(unused.gradient());
  CHECK_FALSE(fixed.gradient());
  CHECK(x.gradient().item() == 3.0F);
}

TEST_CASE("backward: a chain of 100,000 ops overflows no stack, in any mode, nor when a handle outlives the graph") {
  for (const Record record : {Record::everything, Record::backward, Record::nothing}) {
    Var survivor;
    {
      Graph graph({.record = record});
      Parameter weight{Tensor::scalar(3.0F), {}, "w"};
      const Var start = graph.parameter(weight);
      survivor = chain(start, 100000);
      CHECK(survivor.value().item() == 3.0F);
      if (record != Record::nothing) graph.backward(survivor);
      if (record == Record::everything) CHECK(start.gradient().item() == 1.0F);
      if (record == Record::backward) CHECK(weight.gradient.item() == 1.0F);
    }
    CHECK(survivor.value().item() == 3.0F);
  }
}

TEST_CASE("backward: the matmul path of the graph serves the way back too") {
  const auto gradient = [](kernels::MatmulPath path) {
    Graph graph({.path = path});
    const Var a = leaf(graph, {1, 2}, {1, 2}), b = leaf(graph, {2, 1}, {3, 4});
    const std::size_t before = kernels::multiply_adds();
    graph.backward(sum(matmul(a, b)));
    CHECK(kernels::multiply_adds() - before == 6);  // one product forward, two back
    return values_of(a.gradient());
  };
  CHECK(gradient(kernels::MatmulPath::simd) == std::vector<float>{3, 4});
  CHECK(gradient(kernels::MatmulPath::reference) == std::vector<float>{3, 4});
}
