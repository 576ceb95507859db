// The fused attention against the same mathematics in single ops; the table of cases holds it to PyTorch.
#include "ops/attention.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/dropout.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Sizes {
  std::size_t batch, heads, queries, keys, size, value_size;
};

Tensor random(const Shape& shape, Rng& rng) {
  Tensor out(shape);
  rng.fill_normal(out);
  return out;
}

/// [B, T, h·d] -> [B, h, T, d].
Var split(const Var& x, std::size_t heads) {
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

Var composed(const Var& q, const Var& k, const Var& v, std::size_t heads, const Var& lengths, MaskRule rule, float p) {
  const float factor = 1.0F / std::sqrt(static_cast<float>(q.size(2) / heads));
  const Var weights = masked_softmax(scale(matmul_transposed(split(q, heads), split(k, heads)), factor), lengths, rule);
  const Var context = matmul(dropout(weights, p), split(v, heads));
  return reshape(transpose(context, {0, 2, 1, 3}), {q.size(0), q.size(1), v.size(2)});
}

using Form = Var (*)(const Var&, const Var&, const Var&, std::size_t, const Var&, MaskRule, float);

struct Outcome {
  Tensor out;
  Tensor gradients[3];
};

Outcome run(Form form, const Sizes& s, const Tensor& lengths, MaskRule rule, float p) {
  Rng numbers(s.queries * 31 + s.keys), draws(5);
  Graph graph({.training = true, .rng = &draws});
  const Shape query{s.batch, s.queries, s.heads * s.size}, key{s.batch, s.keys, s.heads * s.size},
      value{s.batch, s.keys, s.heads * s.value_size};
  const Var q = graph.input("q", {}, random(query, numbers), true),
            k = graph.input("k", {}, random(key, numbers), true),
            v = graph.input("v", {}, random(value, numbers), true);
  const Var out = form(q, k, v, s.heads, lengths ? graph.constant(lengths) : Var(), rule, p);
  graph.backward(sum(square(out)));
  return {out.value(), {q.gradient(), k.gradient(), v.gradient()}};
}

void check_same(const Sizes& s, const Tensor& lengths, MaskRule rule, float p) {
  const Outcome fused = run(attention, s, lengths, rule, p), plain = run(composed, s, lengths, rule, p);
  INFO("batch ", s.batch, ", heads ", s.heads, ", queries ", s.queries, ", keys ", s.keys, ", size ", s.size,
       ", value size ", s.value_size);
  check_close("attention, output", fused.out, plain.out, 5e-6);
  measured("fused attention against its composed form", largest_error(fused.out, plain.out), "output");
  for (std::size_t i = 0; i < 3; ++i) {
    check_close("attention, gradient", fused.gradients[i], plain.gradients[i], 5e-6);
    measured("fused attention against its composed form", largest_error(fused.gradients[i], plain.gradients[i]),
             "gradient");
  }
}

Tensor lengths_up_to(const Shape& shape, std::size_t keys) {
  Rng rng(9);
  Tensor out(shape);
  for (float& n : out.mutable_values()) n = static_cast<float>(rng.below(static_cast<std::uint32_t>(keys + 1)));
  return out;
}

}  // namespace

// Measured: 1.7e-6.
TEST_CASE("attention: the fused op gives what scores, softmax, dropout and values give one by one") {
  for (const Sizes& s : {Sizes{2, 1, 1, 1, 1, 1}, Sizes{3, 4, 10, 10, 8, 8}, Sizes{2, 2, 5, 17, 3, 7},
                         Sizes{1, 3, 33, 9, 16, 5}, Sizes{2, 1, 6, 40, 32, 12}})
    for (const float p : {0.0F, 0.25F}) {
      check_same(s, {}, MaskRule::correct, p);
      for (const MaskRule rule : {MaskRule::correct, MaskRule::book}) {
        check_same(s, lengths_up_to({s.batch}, s.keys), rule, p);
        check_same(s, lengths_up_to({s.batch, s.queries}, s.keys), rule, p);
      }
    }
}

TEST_CASE("attention: a query without a valid key gives zeros and no gradient (B3)") {
  const Outcome got = run(attention, {2, 2, 3, 4, 2, 3}, Tensor::of({2}, {0, 2}), MaskRule::correct, 0.0F);
  const auto zeros = [](std::span<const float> x) { return std::ranges::count(x, 0.0F); };
  CHECK(zeros(got.out.values().first(18)) == 18);
  CHECK(zeros(got.out.values().last(18)) == 0);
  for (const Tensor& gradient : got.gradients) CHECK(zeros(gradient.values().first(gradient.size() / 2)) != 0);
  CHECK(zeros(got.gradients[0].values().first(12)) == 12);
  CHECK(zeros(got.gradients[1].values().first(16)) == 16);
  CHECK(zeros(got.gradients[2].values().first(24)) == 24);
}

TEST_CASE("attention: a hidden key is not looked at, not even if it is no number") {
  Graph graph({});
  const Var q = graph.constant(Tensor::full({1, 1, 2}, 1.0F));
  const Var k = graph.constant(Tensor::of({1, 2, 2}, {1, 1, NAN, NAN})),
            v = graph.constant(Tensor::of({1, 2, 1}, {3, NAN}));
  const Var out = attention(q, k, v, 1, graph.constant(Tensor::of({1}, {1})));
  CHECK(out.value().item() == 3.0F);
}

TEST_CASE("attention: refuses operands that do not fit, heads that do not divide them, and no keys") {
  Graph graph({});
  const auto of = [&](const Shape& shape) { return graph.constant(Tensor::zeros(shape)); };
  CHECK_THROWS_WITH_AS(attention(of({2, 3, 4}), of({2, 5, 6}), of({2, 5, 4}), 2),
                       "attention: queries [2, 3, 4], keys [2, 5, 6], values [2, 5, 4]: they do not fit", ShapeError);
  CHECK_THROWS_WITH_AS(attention(of({2, 3, 4}), of({2, 5, 4}), of({2, 5, 4}), 3),
                       doctest::Contains("their features do not split into 3 heads"), ShapeError);
  CHECK_THROWS_AS(attention(of({2, 3, 4}), of({2, 5, 4}), of({2, 5, 3}), 2), ShapeError);
  CHECK_THROWS_AS(attention(of({2, 3, 4}), of({2, 4, 4}), of({2, 5, 4}), 2), ShapeError);
  CHECK_THROWS_AS(attention(of({2, 3, 4}), of({1, 5, 4}), of({1, 5, 4}), 2), ShapeError);
  CHECK_THROWS_AS(attention(of({2, 3, 4}), of({2, 5, 4}), of({2, 5, 4}), 0), ShapeError);
  CHECK_THROWS_AS(attention(of({3, 4}), of({5, 4}), of({5, 4}), 2), ShapeError);
  CHECK_THROWS_WITH_AS(attention(of({2, 3, 4}), of({2, 0, 4}), of({2, 0, 4}), 2),
                       doctest::Contains("there are no keys"), ShapeError);
  CHECK_THROWS_WITH_AS(attention(of({2, 3, 4}), of({2, 5, 4}), of({2, 5, 4}), 2, of({3})),
                       doctest::Contains("attention: lengths [3] fit no scores of shape [2, 3, 5]"), ShapeError);
  CHECK_THROWS_AS(attention(of({1, 1, 2}), of({1, 2, 2}), of({1, 2, 2}), 1, graph.constant(Tensor::of({1}, {3}))),
                  DataError);
  CHECK_THROWS_AS(attention(of({1, 1, 2}), of({1, 2, 2}), of({1, 2, 2}), 1, {}, MaskRule::correct, 1.0F), ConfigError);
}
