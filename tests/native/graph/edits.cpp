#include <doctest/doctest.h>

#include <cmath>

#include "graph/edit.hpp"
#include "graph/graph.hpp"
#include "ops/arithmetic.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"

using namespace attn;

namespace {

/// x -> "squares" -> their sum, with edits.
struct Squares {
  Graph graph;
  Var x, squares, total;

  explicit Squares(const Edits& edits, Record record = Record::everything)
      : graph({.record = record, .edits = &edits}) {
    x = graph.input("x", {"key"}, Tensor::of({3}, {1, 2, 3}), true);
    squares = graph.name(square(x), "squares", {"key"});
    total = graph.name(sum(squares), "total", {});
  }
};

Edit cell(const Cell& at, float value, int turn = -1) {
  Edit edit;
  edit.cell = at;
  edit.value = value;
  edit.turn = turn;
  return edit;
}

Edit all(std::vector<float> values) {
  Edit edit;
  edit.values = std::move(values);
  return edit;
}

std::vector<float> values_of(const Tensor& x) { return {x.values().begin(), x.values().end()}; }

}  // namespace

TEST_CASE("edit: whoever comes after a changed cell uses the new number") {
  const Edits edits = {{"squares", cell({1}, 10.0F)}};
  for (const Record record : {Record::everything, Record::backward, Record::nothing}) {
    const Squares s(edits, record);
    CHECK(values_of(s.squares.value()) == std::vector<float>{1, 10, 9});
    CHECK(s.total.value().item() == 20.0F);
  }
}

TEST_CASE("edit: the number that was computed is still there, behind the edited step") {
  const Edits edits = {{"squares", cell({1}, 10.0F)}};
  const Squares s(edits);
  CHECK(is_edited(s.squares.node()));
  CHECK(is_edited(s.squares.node(), {1}));
  CHECK_FALSE(is_edited(s.squares.node(), {0}));
  CHECK_FALSE(is_edited(s.total.node()));
  CHECK(values_of(s.squares.node().inputs[0]->value) == std::vector<float>{1, 4, 9});
  CHECK(s.squares.node().name == "squares");
  CHECK(s.squares.node().axes == Axes{"key"});
  CHECK(s.squares.node().inputs[0]->name.empty());
}

TEST_CASE("edit: no gradient flows through an edited cell, and it flows through the others") {
  const Edits edits = {{"squares", cell({1}, 10.0F)}};
  Squares s(edits);
  s.graph.backward(s.total);
  CHECK(values_of(s.x.gradient()) == std::vector<float>{2, 0, 6});
  CHECK(values_of(s.squares.gradient()) == std::vector<float>{1, 1, 1});
}

TEST_CASE("edit: a cell set to the number that it has is no edit") {
  const Edits edits = {{"squares", cell({1}, 4.0F)}};
  Squares s(edits);
  s.graph.backward(s.total);
  CHECK_FALSE(is_edited(s.squares.node(), {1}));
  CHECK(values_of(s.x.gradient()) == std::vector<float>{2, 4, 6});
}

TEST_CASE(
    "edit: all values of a step can be given, inputs can be edited, and of two edits of a cell the later one stays") {
  const Edits edits = {{"x", all({2, 2, 2})}, {"squares", cell({0}, 7.0F)}, {"squares", cell({0}, 8.0F)}};
  Squares s(edits);
  CHECK(values_of(s.squares.value()) == std::vector<float>{8, 4, 4});
  CHECK(s.total.value().item() == 16.0F);
}

TEST_CASE("edit: an edited parameter keeps its own value, and its untouched cells learn") {
  Parameter weight{Tensor::of({2}, {3, 4}), {}, "w"};
  const Edits edits = {{"w", cell({0}, 5.0F)}};
  Graph graph({.record = Record::backward, .edits = &edits});
  const Var w = graph.parameter(weight);
  CHECK(w.ptr() == graph.parameter(weight).ptr());
  CHECK(values_of(w.value()) == std::vector<float>{5, 4});
  CHECK(values_of(weight.value) == std::vector<float>{3, 4});
  graph.backward(sum(square(w)));
  CHECK(values_of(weight.gradient) == std::vector<float>{0, 8});
}

TEST_CASE("edit: of a step that a loop makes many of, one turn can be meant, or all") {
  const Edits edits = {{"state", cell({}, 10.0F, 1)}};
  const Edits every = {{"state", cell({}, 10.0F)}};
  const auto run = [](const Edits& e) {
    Graph graph({.edits = &e});
    Var state = graph.constant(Tensor::scalar(1.0F));
    std::vector<float> out;
    for (int t = 0; t < 3; ++t) {
      const auto turn = graph.turn("time", t);
      state = graph.name(state + state, "state", {});
      out.push_back(state.value().item());
    }
    return out;
  };
  CHECK(run(edits) == std::vector<float>{2, 10, 20});
  CHECK(run(every) == std::vector<float>{10, 10, 10});
}

TEST_CASE("edit: an edit within a scope is found under the full name only") {
  const Edits edits = {{"encoder.squares", cell({0}, 9.0F)}, {"squares", cell({0}, 5.0F)}};
  Graph graph({.edits = &edits});
  const auto scope = graph.scope("encoder");
  const Var x = graph.input("x", {}, Tensor::of({1}, {1}));
  CHECK(graph.name(square(x), "squares", {}).value().item() == 9.0F);
}

TEST_CASE("edit: a cell outside is refused by name") {
  const Edits outside = {{"squares", cell({3}, 1.0F)}};
  CHECK_THROWS_WITH_AS(Squares{outside}, "edit of squares: cell [3] lies outside a tensor of shape [3]", ShapeError);
  const Edits axes = {{"squares", cell({0, 0}, 1.0F)}};
  CHECK_THROWS_WITH_AS(Squares{axes}, "edit of squares: cell [0, 0] lies outside a tensor of shape [3]", ShapeError);
}

TEST_CASE("edit: a wrong number of values is refused, naming step and shape") {
  const Edits edits = {{"squares", all({1, 2})}};
  CHECK_THROWS_WITH_AS(Squares{edits}, "edit of squares: its shape is [3], 2 values were given", ShapeError);
}

TEST_CASE("edit: NaN and infinity are refused, alone and among others") {
  for (const float bad : {std::nanf(""), INFINITY, -INFINITY}) {
    const Edits one = {{"squares", cell({0}, bad)}}, many = {{"squares", all({1, bad, 3})}};
    CHECK_THROWS_WITH_AS(Squares{one}, "edit of squares: values are finite numbers", DataError);
    CHECK_THROWS_AS(Squares{many}, DataError);
  }
}

TEST_CASE("edit: a length that is no whole number is refused by the op that reads it, in its own words") {
  const Edits edits = {{"lengths", cell({0}, 1.5F)}};
  Graph graph({.edits = &edits});
  const Var scores = graph.input("scores", {}, Tensor::zeros({1, 1, 3}));
  const Var lengths = graph.input("lengths", {}, Tensor::of({1}, {2}));
  CHECK_THROWS_WITH_AS(masked_softmax(scores, lengths), doctest::Contains("valid length"), DataError);
}

TEST_CASE(
    "edit: an edited cell explains itself as edited, the others by the number that was computed, in both directions") {
  const Edits edits = {{"squares", cell({1}, 10.0F)}};
  Squares s(edits);
  s.graph.backward(s.total);
  const Node &edited = s.squares.node(), &computed = *edited.inputs[0];
  const Expr changed = s.graph.explain(edited, {1}).expr, kept = s.graph.explain(edited, {0}).expr;
  CHECK(changed.kind == Expr::Kind::constant);
  CHECK(changed.symbol == "edited");
  CHECK(changed.value == 10.0);
  CHECK(kept.kind == Expr::Kind::ref);
  CHECK(kept.node == computed.id);
  CHECK(s.graph.explain_gradient(computed, {1}).expr.value == 0.0);
  CHECK(s.graph.explain_gradient(computed, {0}).expr.value == 1.0);
}
