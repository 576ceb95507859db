// What ops promise beside their values and gradients, which the table of cases holds to PyTorch.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "graph/edit.hpp"
#include "ops/arithmetic.hpp"
#include "ops/dropout.hpp"
#include "ops/functions.hpp"
#include "ops/gru.hpp"
#include "ops/layout.hpp"
#include "ops/loss.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

std::vector<float> values_of(const Tensor& x) { return {x.values().begin(), x.values().end()}; }

Tensor random(const Shape& shape, std::uint64_t seed, float std = 1.0F) {
  Rng rng(seed);
  Tensor out(shape);
  rng.fill_normal(out, std);
  return out;
}

}  // namespace

TEST_CASE("softmax: a row with no valid key gives zeros, not NaN") {
  Graph graph({});
  const Var scores = graph.input("scores", {}, random({2, 2, 4}, 1), true);
  const Var weights = masked_softmax(scores, graph.constant(Tensor::of({2}, {0, 3})));
  for (std::size_t i = 0; i < 8; ++i) CHECK(weights.value().values()[i] == 0.0F);
  graph.backward(sum(square(weights)));
  for (std::size_t i = 0; i < 8; ++i) CHECK(scores.gradient().values()[i] == 0.0F);
}

TEST_CASE("softmax: the book's mask gives a row with no valid key uniform weights (B3)") {
  Graph graph({});
  const Var scores = graph.constant(random({1, 1, 4}, 2));
  const Var lengths = graph.constant(Tensor::of({1}, {0}));
  CHECK(values_of(masked_softmax(scores, lengths, MaskRule::book).value()) == std::vector<float>(4, 0.25F));
}

TEST_CASE("softmax: a hidden key has weight exactly 0 however low the others are (B4)") {
  Graph graph({});
  const Var scores = graph.constant(Tensor::of({1, 2}, {-2e6F, 0}));
  const Var lengths = graph.constant(Tensor::of({1}, {1}));
  CHECK(values_of(masked_softmax(scores, lengths).value()) == std::vector<float>{1, 0});
  CHECK(values_of(masked_softmax(scores, lengths, MaskRule::book).value()) == std::vector<float>{0, 1});
}

TEST_CASE("softmax: leaves the scores as they were (B5)") {
  Graph graph({});
  const Tensor scores = random({2, 3, 4}, 3), copy = scores.copy();
  for (const MaskRule rule : {MaskRule::correct, MaskRule::book})
    masked_softmax(graph.constant(scores), graph.constant(Tensor::of({2}, {1, 2})), rule);
  CHECK(values_of(scores) == values_of(copy));
}

TEST_CASE(
    "softmax: lengths [B] hold for all heads and queries of an example, lengths [B, n] for a query of all heads "
    "(B19)") {
  Graph graph({});
  const Var scores = graph.constant(Tensor::zeros({2, 5, 3, 4}));
  const auto weight = [&](const Var& lengths, const Cell& cell) {
    return masked_softmax(scores, lengths).value().at(cell);
  };
  const Var each = graph.constant(Tensor::of({2}, {3, 2}));
  for (std::size_t head = 0; head < 5; ++head) {
    CHECK(weight(each, {0, head, 1, 2}) == doctest::Approx(1.0 / 3));
    CHECK(weight(each, {1, head, 1, 1}) == 0.5F);
    CHECK(weight(each, {1, head, 1, 2}) == 0.0F);
  }
  const Var causal = graph.constant(Tensor::of({2, 3}, {1, 2, 3, 1, 2, 3}));
  for (std::size_t query = 0; query < 3; ++query)
    for (std::size_t key = 0; key < 4; ++key) CHECK((weight(causal, {1, 4, query, key}) > 0.0F) == (key <= query));
}

TEST_CASE("softmax: shares out over the keys, the last axis, for each query: rows sum to 1, columns need not (B23)") {
  Graph graph({});
  const Tensor weights = softmax(graph.constant(random({10, 10}, 12))).value();
  double furthest = 0.0;
  for (std::size_t i = 0; i < 10; ++i) {
    double row = 0.0, column = 0.0;
    for (std::size_t j = 0; j < 10; ++j) {
      row += weights.at(Cell{i, j});
      column += weights.at(Cell{j, i});
    }
    CHECK(std::abs(row - 1.0) < 1e-6);
    furthest = std::max(furthest, std::abs(column - 1.0));
  }
  CHECK(furthest > 0.1);
}

TEST_CASE("softmax: every row sums to 1 and no weight is negative, for scores of any size") {
  Graph graph({});
  for (const float std : {0.1F, 10.0F, 1000.0F}) {
    const Tensor y = softmax(graph.constant(random({20, 37}, 4, std))).value();
    for (std::size_t row = 0; row < 20; ++row) {
      const auto weights = y.values().subspan(row * 37, 37);
      CHECK(*std::ranges::min_element(weights) >= 0.0F);
      double total = 0.0;
      for (const float w : weights) total += w;
      CHECK(std::abs(total - 1.0) < 1e-6);
    }
  }
}

TEST_CASE("dropout: does nothing while not training, and with p = 0: it gives back its input itself (B12)") {
  Rng rng(1);
  Graph looking({.training = false, .rng = &rng}), training({.training = true, .rng = &rng});
  const Var x = looking.constant(random({4}, 5)), y = training.constant(random({4}, 5));
  CHECK(dropout(x, 0.5F).ptr() == x.ptr());
  CHECK(dropout(y, 0.0F).ptr() == y.ptr());
}

TEST_CASE("dropout: drops a share p, scales the rest by 1/(1-p), and so keeps the mean; each call draws anew") {
  Rng rng(2);
  Graph graph({.training = true, .rng = &rng});
  const Var ones = graph.constant(Tensor::full({100000}, 1.0F));
  for (const float p : {0.1F, 0.5F, 0.9F}) {
    const Tensor y = dropout(ones, p).value();
    const double dropped = static_cast<double>(std::ranges::count(y.values(), 0.0F)) / 1e5;
    CHECK(std::abs(dropped - p) < 0.006);
    CHECK(std::ranges::all_of(y.values(), [p](float v) { return v == 0.0F || v == 1.0F / (1.0F - p); }));
    CHECK(values_of(y) != values_of(dropout(ones, p).value()));
  }
}

TEST_CASE("dropout: draws each number for itself: neighbours fall together no more often than by chance") {
  Rng rng(3);
  Graph graph({.training = true, .rng = &rng});
  const Tensor y = dropout(graph.constant(Tensor::full({400, 250}, 1.0F)), 0.3F).value();
  for (const std::size_t lag : {1U, 250U}) {  // beside it, and below it
    int both = 0;
    for (std::size_t i = lag; i < y.size(); ++i) both += y.values()[i] == 0.0F && y.values()[i - lag] == 0.0F;
    CHECK(std::abs(both / 1e5 - 0.09) < 0.0045);  // four standard errors, pairs overlapping
  }
}

TEST_CASE(
    "dropout: keeps the mean and multiplies the mean square by 1/(1-p), and the way back drops the same numbers") {
  Rng rng(4);
  Graph graph({.training = true, .rng = &rng});
  const Var x = graph.input("x", {}, random({100000}, 9), true);
  const Var y = dropout(x, 0.2F);
  double mean = 0.0, squares = 0.0;
  for (const float v : y.value().values()) {
    mean += v / 1e5;
    squares += v * v / 1e5;
  }
  CHECK(std::abs(mean) < 0.015);
  CHECK(std::abs(squares - 1.25) < 0.03);
  graph.backward(sum(y));
  for (std::size_t i = 0; i < y.value().size(); ++i) {
    const bool dropped = y.value().values()[i] == 0.0F;
    if (x.gradient().values()[i] != (dropped ? 0.0F : 1.0F / 0.8F)) FAIL_CHECK("number ", i);
  }
}

TEST_CASE("cross_entropy: is log V for equal logits, and stays finite where the right word is all but impossible") {
  Graph graph({});
  CHECK(
      cross_entropy(graph.constant(Tensor::full({1, 10}, 7.0F)), graph.constant(Tensor::of({1}, {3}))).value().item() ==
      doctest::Approx(2.302585).epsilon(1e-6));
  const Var logits = graph.input("logits", {}, Tensor::of({1, 2}, {1e4F, -1e4F}), true);
  const Var loss = cross_entropy(logits, graph.constant(Tensor::of({1}, {1})));
  CHECK(loss.value().item() == 2e4F);
  graph.backward(sum(loss));
  CHECK(values_of(logits.gradient()) == std::vector<float>{1, -1});
}

TEST_CASE("relu: its gradient at 0 is 0, as in PyTorch") {
  Graph graph({});
  const Var x = graph.input("x", {}, Tensor::of({3}, {-1, 0, 1}), true);
  graph.backward(sum(relu(x)));
  CHECK(values_of(x.gradient()) == std::vector<float>{0, 0, 1});
}

TEST_CASE("matmul: ones(2,1,4) x ones(2,4,6) is 4 in shape (2,1,6); weights of 0.1 over 0 … 19 give 4.5 and 14.5") {
  Graph graph({});
  const Var four = matmul(graph.constant(Tensor::full({2, 1, 4}, 1)), graph.constant(Tensor::full({2, 4, 6}, 1)));
  CHECK(four.shape() == Shape{2, 1, 6});
  CHECK(values_of(four.value()) == std::vector<float>(12, 4.0F));
  Tensor values({2, 10, 1});
  for (std::size_t i = 0; i < 20; ++i) values.mutable_values()[i] = static_cast<float>(i);
  const Var means = matmul(graph.constant(Tensor::full({2, 1, 10}, 0.1F)), graph.constant(values));
  CHECK(means.value().values()[0] == doctest::Approx(4.5).epsilon(1e-6));
  CHECK(means.value().values()[1] == doctest::Approx(14.5).epsilon(1e-6));
}

TEST_CASE("linear: W_q q + W_k k is [W_q W_k][q; k]: adding projections is one layer over query and key joined (B22)") {
  Graph graph({});
  const Var q = graph.constant(random({3, 5}, 6)), k = graph.constant(random({3, 2}, 7));
  const Var W_q = graph.constant(random({4, 5}, 8)), W_k = graph.constant(random({4, 2}, 9));
  const Var added = linear(q, W_q) + linear(k, W_k);
  const Var concatenated = linear(concat({q, k}, 1), concat({W_q, W_k}, 1));
  check_close("sum against concatenation", added.value(), concatenated.value(), 1e-6);
}

TEST_CASE("ops: leave their operands as they were, and give new tensors") {
  Graph graph({});
  const Tensor x = random({2, 4}, 10), copy = x.copy();
  const Var v = graph.constant(x);
  for (const Var& y : {add(v, v), mul(v, v), scale(v, 2.0F), square(v), exp(v), tanh(v), sigmoid(v), relu(v),
                       softmax(v), transpose(v, {1, 0}), slice(v, 0, 0, 2), concat({v}, 0), matmul_transposed(v, v)})
    CHECK(y.value().data() != x.data());
  CHECK(values_of(x) == values_of(copy));
}
