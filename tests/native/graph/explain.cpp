#include <doctest/doctest.h>

#include "graph/graph.hpp"
#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/reduce.hpp"
#include "support/explained.hpp"

using namespace attn;
using Kind = Expr::Kind;

namespace {

/// x², which says it in two named parts, one built on the other.
struct Wordy final : Op {
  const char* name() const override { return "wordy"; }
  void backward(Node& node) const override {
    Node& x = *node.inputs[0];
    x.add_gradient(Tensor::scalar(2.0F * x.value.item() * node.gradient.item()));
  }
  Explanation explain(const Node& node, const Cell&) const override {
    return expr::apply(Kind::square, node.inputs[0]->ref({}));
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell&) const override {
    Explanation out;
    out.where.push_back({"mean", node.inputs[0]->ref({})});
    out.where.push_back({"twice", expr::mul({expr::constant(2.0), expr::name("mean", out.where[0].expr)})});
    out.expr = expr::mul({expr::name("twice", out.where[1].expr), node.gradient_ref({})});
    return out;
  }
};

Var wordy(const Var& x) {
  return x.graph().make(std::make_unique<Wordy>(), {x}, Tensor::scalar(x.value().item() * x.value().item()));
}

struct Small {
  Graph graph{{}};
  Var x, square_, scaled, total;

  Small() {
    x = graph.input("x", {"key"}, Tensor::of({2}, {3, 5}), true);
    square_ = square(x);
    scaled = scale(x, 10.0F, "ten");
    total = sum(square_ + scaled);
  }
};

}  // namespace

TEST_CASE("explain: an input explains itself by pointing at itself") {
  const Small s;
  const Expr e = s.graph.explain(s.x.node(), {1}).expr;
  CHECK(e.kind == Kind::ref);
  CHECK(e.node == s.x.node().id);
  CHECK(e.cell == Cell{1});
  CHECK(e.value == 5.0);
  CHECK_FALSE(e.gradient);
}

TEST_CASE("explain: a number opens into numbers, down to the inputs") {
  const Small s;
  const Expr total = s.graph.explain(s.total.node(), {}).expr;
  REQUIRE(total.kind == Kind::add);
  CHECK(total.value == 9 + 30 + 25 + 50);
  const Expr first =
      s.graph.explain(*s.graph.nodes()[static_cast<std::size_t>(total.of[0].node)], total.of[0].cell).expr;
  REQUIRE(first.kind == Kind::add);
  const Expr nine =
      s.graph.explain(*s.graph.nodes()[static_cast<std::size_t>(first.of[0].node)], first.of[0].cell).expr;
  CHECK(nine.kind == Kind::square);
  CHECK(nine.of[0].node == s.x.node().id);
}

TEST_CASE("explain: a symbol is shown where a constant has one") {
  const Small s;
  const Expr e = s.graph.explain(s.scaled.node(), {0}).expr;
  REQUIRE(e.kind == Kind::mul);
  CHECK(e.of[0].symbol == "ten");
  CHECK(e.of[0].value == 10.0);
}

TEST_CASE("explain: a gradient lists the share of each consumer") {
  Small s;
  s.graph.backward(s.total);
  const Expr e = s.graph.explain_gradient(s.x.node(), {0}).expr;
  CHECK(e.value == 2 * 3 + 10);
  REQUIRE(e.kind == Kind::add);
  REQUIRE(e.of.size() == 2);
  CHECK(e.of[0].kind == Kind::via);
  CHECK(e.of[0].node == s.square_.node().id);
  CHECK(e.of[0].value == 6.0);
  CHECK(e.of[1].node == s.scaled.node().id);
  CHECK(e.of[1].value == 10.0);
}

TEST_CASE("explain: consumers that name their parts alike keep them apart in a gradient's sum") {
  Graph graph({});
  const Var x = graph.input("x", {}, Tensor::scalar(3.0F), true);
  graph.backward(wordy(x) + wordy(x) + wordy(x), 0.5F);
  const Explanation why = graph.explain_gradient(x.node(), {});
  std::vector<std::string> names;
  for (const auto& part : why.where) names.push_back(part.name);
  CHECK(names == std::vector<std::string>{"mean", "twice", "mean (2)", "twice (2)", "mean (3)", "twice (3)"});
  CHECK(why.where[3].expr.of[1].symbol == "mean (2)");
  REQUIRE(why.expr.of.size() == 3);
  CHECK(why.expr.of[0].of[0].of[0].symbol == "twice");
  CHECK(why.expr.of[2].of[0].of[0].symbol == "twice (3)");
  test::check_gradients_explained(graph, 1, "named parts", "explain.cpp");
}

TEST_CASE("explain: where backward started, the gradient is the seed, and 0 in the cells beside it") {
  Small s;
  s.graph.backward(s.square_, 0.25F, {1});
  const Expr seed = s.graph.explain_gradient(s.square_.node(), {1}).expr;
  CHECK(seed.kind == Kind::constant);
  CHECK(seed.value == 0.25);
  CHECK(s.graph.explain_gradient(s.square_.node(), {0}).expr.value == 0.0);
  CHECK(s.graph.explain_gradient(s.x.node(), {1}).expr.value == 2.5);
}

TEST_CASE("explain: the seed and the shares of consumers add up, where the start is used by others") {
  Graph graph({});
  const Var x = graph.input("x", {}, Tensor::scalar(3.0F), true);
  const Var y = square(x), z = square(y);
  graph.backward(z);
  CHECK(graph.explain_gradient(y.node(), {}).expr.value == 18.0);
  graph.backward(y);  // z comes later and has no part in it
  CHECK(graph.explain_gradient(y.node(), {}).expr.value == 1.0);
  CHECK(graph.explain_gradient(x.node(), {}).expr.value == 6.0);
}

TEST_CASE("explain: what the start does not depend on, and everything before a start, has gradient 0") {
  Small s;
  CHECK(s.graph.explain_gradient(s.x.node(), {0}).expr.value == 0.0);
  s.graph.backward(s.square_, 1.0F, {0});
  CHECK(s.graph.explain_gradient(s.scaled.node(), {0}).expr.value == 0.0);
}

TEST_CASE("explain: refuses a cell outside, in both directions") {
  Small s;
  s.graph.backward(s.total);
  CHECK_THROWS_AS(s.graph.explain(s.x.node(), {2}), ShapeError);
  CHECK_THROWS_AS(s.graph.explain(s.total.node(), {0}), ShapeError);
  CHECK_THROWS_AS(s.graph.explain_gradient(s.x.node(), {2}), ShapeError);
  CHECK_THROWS_AS(s.graph.explain_gradient(s.x.node(), {}), ShapeError);
}
