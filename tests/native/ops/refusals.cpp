#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "ops/arithmetic.hpp"
#include "ops/dropout.hpp"
#include "ops/embedding.hpp"
#include "ops/gru.hpp"
#include "ops/layout.hpp"
#include "ops/loss.hpp"
#include "ops/matmul.hpp"
#include "ops/pick.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"

using namespace attn;

namespace {

/// Makes zeros of a shape, and numbers that are given.
struct Maker {
  Graph graph{{}};
  Var operator()(const Shape& shape) { return graph.constant(Tensor::zeros(shape)); }
  Var operator()(const Shape& shape, std::initializer_list<float> values) {
    return graph.constant(Tensor::of(shape, values));
  }
};

}  // namespace

TEST_CASE("add, sub, mul, div, max, min, pow: refuse shapes that do not broadcast, each by its own name") {
  Maker of;
  CHECK_THROWS_WITH_AS(add(of({2, 3}), of({2})), doctest::Contains("add: shapes [2, 3] and [2]"), ShapeError);
  CHECK_THROWS_WITH_AS(sub(of({2, 3}), of({4, 3})), doctest::Contains("sub: shapes [2, 3] and [4, 3]"), ShapeError);
  CHECK_THROWS_WITH_AS(mul(of({2, 3}), of({2, 3, 4})), doctest::Contains("mul: shapes [2, 3] and [2, 3, 4]"),
                       ShapeError);
  CHECK_THROWS_WITH_AS(div(of({2, 3}), of({2})), doctest::Contains("div: shapes [2, 3] and [2]"), ShapeError);
  CHECK_THROWS_WITH_AS(max(of({2, 3}), of({2})), doctest::Contains("max: shapes [2, 3] and [2]"), ShapeError);
  CHECK_THROWS_WITH_AS(min(of({2, 3}), of({2})), doctest::Contains("min: shapes [2, 3] and [2]"), ShapeError);
  CHECK_THROWS_WITH_AS(pow(of({2, 3}), of({2})), doctest::Contains("pow: shapes [2, 3] and [2]"), ShapeError);
}

TEST_CASE("matmul: refuses [2,3] x [2,3]") {
  Maker of;
  CHECK_THROWS_WITH_AS(matmul(of({2, 3}), of({2, 3})), "matmul: [2, 3] x [2, 3] do not fit", ShapeError);
}

TEST_CASE("matmul: refuses different batches, a vector, and a batch of b that a does not have") {
  Maker of;
  CHECK_THROWS_WITH_AS(matmul(of({2, 3, 4}), of({3, 4, 5})), "matmul: [2, 3, 4] x [3, 4, 5] do not fit", ShapeError);
  CHECK_THROWS_AS(matmul(of({4}), of({4, 5})), ShapeError);
  CHECK_THROWS_AS(matmul(of({3, 4}), of({4})), ShapeError);
  CHECK_THROWS_AS(matmul(of({3, 4}), of({1, 4, 5})), ShapeError);
  CHECK_THROWS_AS(matmul(of({2, 2, 3, 4}), of({2, 4, 5})), ShapeError);
}

TEST_CASE("matmul_transposed: refuses keys of another size than the queries") {
  Maker of;
  CHECK_THROWS_WITH_AS(matmul_transposed(of({2, 3, 4}), of({2, 5, 3})),
                       "matmul_transposed: [2, 3, 4] x [2, 5, 3] do not fit", ShapeError);
}

TEST_CASE("linear: refuses features or a bias that do not fit the weight") {
  Maker of;
  CHECK_THROWS_WITH_AS(linear(of({2, 3}), of({5, 4})), "linear: [2, 3] x [5, 4] do not fit", ShapeError);
  CHECK_THROWS_WITH_AS(linear(of({2, 4}), of({5, 4}), of({4})), "linear (bias): [5, 4] x [4] do not fit", ShapeError);
  CHECK_THROWS_AS(linear(of({2, 4}), of({4})), ShapeError);
  CHECK_THROWS_AS(linear(of({}), of({5, 4})), ShapeError);
}

TEST_CASE(
    "matmul, linear: an empty batch, no rows, no columns and no depth give empty results or zeros, and gradients of "
    "their shape") {
  Maker of;
  CHECK(matmul(of({0, 2, 3}), of({0, 3, 4})).shape() == Shape{0, 2, 4});
  CHECK(matmul(of({2, 3}), of({3, 0})).shape() == Shape{2, 0});
  CHECK(matmul(of({2, 0, 3}), of({2, 3, 4})).shape() == Shape{2, 0, 4});
  CHECK(linear(of({0, 3}), of({5, 3}), of({5})).shape() == Shape{0, 5});
  for (const auto& [a, b] : {std::pair<Shape, Shape>{{2, 0}, {0, 3}}, {{2, 2, 0}, {2, 0, 3}}, {{2, 2, 0}, {0, 3}}}) {
    Graph graph({});
    const Var x = graph.input("x", {}, Tensor::zeros(a), true), y = graph.input("y", {}, Tensor::zeros(b), true);
    const Var product = matmul(x, y);
    for (const float v : product.value().values()) CHECK(v == 0.0F);
    graph.backward(sum(product));
    CHECK(x.gradient().shape() == a);
    CHECK(y.gradient().shape() == b);
  }
}

TEST_CASE("reshape, transpose: refuse what is no other order of the same numbers") {
  Maker of;
  CHECK_THROWS_WITH_AS(reshape(of({2, 3}), {4}), "reshape: [2, 3] has 6 elements, [4] has 4", ShapeError);
  CHECK_THROWS_WITH_AS(transpose(of({2, 3}), {0, 0}), "transpose: [0, 0] is no order of the axes of [2, 3]",
                       ShapeError);
  CHECK_THROWS_AS(transpose(of({2, 3}), {0}), ShapeError);
  CHECK_THROWS_AS(transpose(of({2, 3}), {0, 2}), ShapeError);
}

TEST_CASE("slice, select: refuse entries and axes that are not there, huge numbers too") {
  Maker of;
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  CHECK_THROWS_WITH_AS(slice(of({2, 3}), 1, 2, 2), "slice: entries 2 to 4 lie outside axis 1 of [2, 3]", ShapeError);
  CHECK_THROWS_AS(slice(of({2, 3}), 1, huge, 2), ShapeError);
  CHECK_THROWS_AS(slice(of({2, 3}), 1, 2, huge), ShapeError);
  CHECK_THROWS_AS(select(of({2, 3}), 0, huge), ShapeError);
  CHECK_THROWS_WITH_AS(select(of({2, 3}), 2, 0), "select: shape [2, 3] has no axis 2", ShapeError);
  CHECK_THROWS_AS(select(of({2, 3}), -3, 0), ShapeError);
  CHECK_THROWS_AS(select(of({}), 0, 0), ShapeError);
  CHECK(slice(of({2, 3}), 1, 3, 0).shape() == Shape{2, 0});
}

TEST_CASE("concat, stack: refuse nothing at all, other sizes and other axes") {
  Maker of;
  CHECK_THROWS_WITH_AS(concat({}, 0), "concat: nothing to join", ShapeError);
  CHECK_THROWS_WITH_AS(concat({of({2, 3}), of({3, 3})}, 1), "concat: [2, 3] and [3, 3] differ beside axis 1",
                       ShapeError);
  CHECK_THROWS_AS(concat({of({2, 3}), of({2})}, 0), ShapeError);
  CHECK_THROWS_AS(concat({of({2, 3})}, 2), ShapeError);
  CHECK_THROWS_AS(stack({}, 0), ShapeError);
  CHECK_THROWS_WITH_AS(stack({of({2}), of({3})}, 0), "stack: [2] and [3] differ", ShapeError);
  CHECK_THROWS_AS(stack({of({2})}, 2), ShapeError);
}

TEST_CASE("masked_softmax: refuses lengths that fit no scores, naming both shapes") {
  Maker of;
  const auto refused = doctest::Contains("masked_softmax: lengths [3] fit no scores of shape [2, 3, 4]");
  CHECK_THROWS_WITH_AS(masked_softmax(of({2, 3, 4}), of({3})), refused, ShapeError);
  CHECK_THROWS_AS(masked_softmax(of({2, 3, 4}), of({2, 4})), ShapeError);
  CHECK_THROWS_AS(masked_softmax(of({2, 3, 4}), of({2, 3, 1})), ShapeError);
  CHECK_THROWS_AS(masked_softmax(of({4}), of({1})), ShapeError);
  CHECK_THROWS_AS(softmax(of({2, 0})), ShapeError);
  CHECK_THROWS_AS(softmax(of({})), ShapeError);
}

TEST_CASE("masked_softmax: refuses a length that is broken, negative, too long or no number") {
  Maker of;
  for (const float bad : {1.5F, -1.0F, 5.0F, std::nanf(""), INFINITY})
    CHECK_THROWS_WITH_AS(masked_softmax(of({1, 1, 4}), of({1}, {bad})),
                         doctest::Contains("masked_softmax: valid length"), DataError);
  CHECK(masked_softmax(of({1, 1, 4}), of({1}, {4})).value().values()[3] == 0.25F);
}

TEST_CASE("embedding: refuses an id outside the table, and a table without two axes") {
  Maker of;
  for (const float bad : {5.0F, -1.0F, 0.5F, std::nanf("")})
    CHECK_THROWS_WITH_AS(embedding(of({1}, {bad}), of({5, 2})), doctest::Contains("embedding: id"), DataError);
  CHECK_THROWS_AS(embedding(of({1}), of({5})), ShapeError);
}

TEST_CASE("cross_entropy: refuses targets of another shape or outside the vocabulary") {
  Maker of;
  CHECK_THROWS_WITH_AS(cross_entropy(of({2, 5}), of({3})), "cross_entropy: logits [2, 5] and targets [3] do not fit",
                       ShapeError);
  CHECK_THROWS_WITH_AS(cross_entropy(of({1, 5}), of({1}, {5})), doctest::Contains("cross_entropy: target"), DataError);
  CHECK_THROWS_AS(cross_entropy(of({}), of({})), ShapeError);
}

TEST_CASE("last_valid: refuses an empty sequence, a length beyond it, and lengths of another batch") {
  Maker of;
  CHECK_THROWS_WITH_AS(last_valid(of({1, 3, 2}), of({1}, {0})), "last_valid: an empty sequence has no last entry",
                       DataError);
  CHECK_THROWS_AS(last_valid(of({1, 3, 2}), of({1}, {4})), DataError);
  CHECK_THROWS_AS(last_valid(of({2, 3, 2}), of({1}, {1})), ShapeError);
  CHECK_THROWS_AS(last_valid(of({3, 2}), of({3})), ShapeError);
}

TEST_CASE("gru_gates: refuses what are not three gates of the hidden state") {
  Maker of;
  CHECK_THROWS_WITH_AS(gru_gates(of({2, 9}), of({2, 9}), of({2, 4})), doctest::Contains("gru_gates: [2, 9] and [2, 9]"),
                       ShapeError);
  CHECK_THROWS_AS(gru_gates(of({2, 12}), of({2, 9}), of({2, 4})), ShapeError);
  CHECK_THROWS_AS(gru_gates(of({12}), of({12}), of({4})), ShapeError);
}

TEST_CASE("mean: refuses no elements") {
  Maker of;
  CHECK_THROWS_WITH_AS(mean(of({0})), "mean: no elements in shape [0]", ShapeError);
}

TEST_CASE("dropout: refuses a probability outside [0, 1), and a training graph without a generator") {
  Maker of;
  for (const float bad : {1.0F, -0.1F, std::nanf("")}) CHECK_THROWS_AS(dropout(of({2}), bad), ConfigError);
  Graph training({.training = true});
  CHECK_THROWS_WITH_AS(dropout(training.constant(Tensor::zeros({2})), 0.5F),
                       "dropout: a training graph needs a random generator", ConfigError);
}
