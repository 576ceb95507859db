#include <doctest/doctest.h>

#include "graph/graph.hpp"
#include "ops/arithmetic.hpp"

using namespace attn;

namespace {

const Node& last(const Graph& graph) { return *graph.nodes().back(); }

}  // namespace

TEST_CASE("graph: a name is a path through the scopes that are open, and a closed scope is gone") {
  Graph graph({});
  const Var x = graph.input("x", {"key"}, Tensor::zeros({3}));
  CHECK(x.node().name == "x");
  {
    const auto outer = graph.scope("encoder");
    CHECK(graph.name(square(x), "a", {"key"}).node().name == "encoder.a");
    {
      const auto inner = graph.scope("0");
      CHECK(graph.name(square(x), "b", {"key"}).node().name == "encoder.0.b");
    }
    CHECK(graph.name(square(x), "c", {"key"}).node().name == "encoder.c");
  }
  CHECK(graph.name(square(x), "d", {"key"}).node().name == "d");
}

TEST_CASE("graph: a step keeps the names of its axes") {
  Graph graph({});
  const Var x = graph.input("x", {"batch", "key"}, Tensor::zeros({2, 3}));
  CHECK(x.node().axes == Axes{"batch", "key"});
  CHECK(graph.name(square(x), "squares", {"batch", "query"}).node().axes == Axes{"batch", "query"});
}

TEST_CASE("graph: an op that nobody names has no name") {
  Graph graph({});
  square(graph.input("x", {}, Tensor::scalar(2.0F)));
  CHECK(last(graph).name.empty());
  CHECK(last(graph).op->name() == std::string("square"));
}

TEST_CASE("graph: a step knows the turn and the axis of the loop that made it, and loops nest") {
  Graph graph({});
  const Var x = graph.constant(Tensor::scalar(2.0F));
  const auto make = [&] { return graph.name(square(x), "state", {}); };
  CHECK(make().node().turn == -1);
  {
    const auto outer = graph.turn("time", 4);
    const Var step = make();
    CHECK(step.node().turn == 4);
    CHECK(step.node().loop_axis == "time");
    {
      const auto inner = graph.turn("head", 1);
      CHECK(make().node().turn == 1);
      CHECK(make().node().loop_axis == "head");
    }
    CHECK(make().node().turn == 4);
    CHECK(make().node().loop_axis == "time");
  }
  CHECK(make().node().turn == -1);
  CHECK(make().node().loop_axis.empty());
}

TEST_CASE("graph: a parameter has one leaf, named by its path whatever the scope") {
  Graph graph({});
  Parameter weight{Tensor::scalar(3.0F), {}, "decoder.dense.weight"};
  const auto scope = graph.scope("somewhere");
  const Var first = graph.parameter(weight), second = graph.parameter(weight);
  CHECK(first.ptr() == second.ptr());
  CHECK(first.node().name == "decoder.dense.weight");
  CHECK(first.node().kind == Node::Kind::parameter);
  CHECK(first.node().parameter == &weight);
  CHECK(graph.nodes().size() == 1);
}

TEST_CASE("graph: nodes stand in the order of their making, each id its place") {
  Graph graph({});
  const Var x = graph.input("x", {}, Tensor::scalar(2.0F));
  const Var y = square(x) + x;
  CHECK(y.value().item() == 6.0F);
  REQUIRE(graph.nodes().size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(graph.nodes()[i]->id == static_cast<int>(i));
  CHECK(y.node().inputs[0]->id == 1);
  CHECK(y.node().inputs[1]->id == 0);
}

TEST_CASE("graph: after clear() it is as new, and a handle still has its value") {
  Graph graph({});
  const auto scope = graph.scope("a");
  const Var y = square(graph.input("x", {}, Tensor::scalar(3.0F)));
  graph.clear();
  CHECK(graph.nodes().empty());
  CHECK(y.value().item() == 9.0F);
}
