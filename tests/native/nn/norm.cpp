#include "nn/norm.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/compare.hpp"
#include "support/random.hpp"

using namespace attn;
using namespace attn::test;
using nn::AddNorm;
using nn::BatchNorm;
using nn::LayerNorm;
using nn::NormPlace;

namespace {

Tensor trained(BatchNorm& layer, const Tensor& x) {
  Graph graph({.training = true});
  return layer(graph.constant(x)).value();
}

}  // namespace

TEST_CASE("norms: [[1, 2], [2, 3]] by features and by examples, as published") {
  const Tensor x = Tensor::of({2, 2}, {1, 2, 2, 3});
  Graph graph({});
  LayerNorm layer(2);
  check_close("layer norm", layer(graph.constant(x)).value(), Tensor::of({2, 2}, {-1, 1, -1, 1}), 3e-5);  // ε
  BatchNorm batch(2);
  check_close("batch norm", trained(batch, x), Tensor::of({2, 2}, {-1, -1, 1, 1}), 3e-5);
}

TEST_CASE("layer norm: the last axis alone by default; over two axes it mixes positions (B20)") {
  const Tensor x = random({2, 3, 4}, 1);
  Graph graph({});
  LayerNorm one(4), two({3, 4});
  const Tensor each = one(graph.constant(x)).value(), mixed = two(graph.constant(x)).value();
  for (std::size_t row = 0; row < 6; ++row) {
    double mean = 0.0;
    for (std::size_t i = 0; i < 4; ++i) mean += each.values()[row * 4 + i] / 4.0;
    CHECK(std::abs(mean) < 1e-6);
  }
  CHECK(largest_error(each, mixed) > 0.1);
  Graph word({});
  CHECK_THROWS_AS(two(word.constant(random({2, 1, 4}, 2))), ShapeError);  // one word at a time cannot be
}

TEST_CASE("batch norm: a row more changes the others in training; layer norm and evaluation it does not") {
  const Tensor x = random({3, 4}, 1);
  Tensor more({4, 4});
  std::copy_n(x.data(), 12, more.data());
  std::fill_n(more.data() + 12, 4, 5.0F);
  const auto head = [](const Tensor& t) { return Tensor::of({3, 4}, t.values().subspan(0, 12)); };
  BatchNorm a(4), b(4);
  CHECK(largest_error(trained(a, x), head(trained(b, more))) > 0.1);
  Graph graph({});
  CHECK(largest_error(a(graph.constant(x)).value(), head(a(graph.constant(more)).value())) == 0.0);
  LayerNorm layer(4);
  CHECK(largest_error(layer(graph.constant(x)).value(), head(layer(graph.constant(more)).value())) == 0.0);
}

TEST_CASE("batch norm: running statistics move by a tenth, the variance the unbiased one, as in PyTorch") {
  BatchNorm layer(1);
  trained(layer, Tensor::of({4, 1}, {1, 2, 3, 6}));  // mean 3, unbiased variance 14/3
  CHECK(layer.running_mean.values()[0] == doctest::Approx(0.3F));
  CHECK(layer.running_variance.values()[0] == doctest::Approx(0.9F + 0.1F * 14.0F / 3.0F));
}

TEST_CASE("add and norm: behind the sum, before the sub-layer, or nowhere; shapes that differ are refused") {
  const Tensor x = random({1, 2, 4}, 1), y = random({1, 2, 4}, 2);
  Graph graph({});
  const Var vx = graph.constant(x), vy = graph.constant(y);
  LayerNorm ln(4);
  AddNorm post(4, 0.5F, NormPlace::post, true), pre(4, 0.5F, NormPlace::pre, true),
      none(4, 0.5F, NormPlace::none, true), cut(4, 0.5F, NormPlace::none, false);
  Tensor sum = x.copy();
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += y.values()[i];
  CHECK(largest_error(post(vx, vy, "a").value(), ln(graph.constant(sum)).value()) == 0.0);
  CHECK(largest_error(post.before(vx, "a").value(), x) == 0.0);
  CHECK(largest_error(pre(vx, vy, "a").value(), sum) == 0.0);
  CHECK(largest_error(pre.before(vx, "a").value(), ln(vx).value()) == 0.0);
  CHECK(largest_error(none(vx, vy, "a").value(), sum) == 0.0);
  CHECK(largest_error(cut(vx, vy, "a").value(), y) == 0.0);
  CHECK_THROWS_AS(post(vx, graph.constant(random({1, 2, 3}, 3)), "a"), ShapeError);
}

TEST_CASE("add and norm: drops numbers of the sub-layer in training only, never of what goes around (B12)") {
  AddNorm layer(4, 0.9F, NormPlace::none, true);
  const Tensor x = random({50, 4}, 4), y = Tensor::full({50, 4}, 1.0F);
  Rng rng(5);
  Graph graph({.record = Record::nothing, .training = true, .rng = &rng});
  const Tensor out = layer(graph.constant(x), graph.constant(y), "addnorm").value();
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double added = static_cast<double>(out.values()[i]) - x.values()[i];
    CHECK((std::abs(added) < 1e-5 || std::abs(added - 10.0) < 1e-5));
    dropped += added < 5.0;
  }
  CHECK(dropped > 150);
  CHECK(dropped < 200);
  Tensor sums = x.copy();
  for (float& v : sums.mutable_values()) v += 1.0F;
  Graph looking({.record = Record::nothing});
  CHECK(largest_error(layer(looking.constant(x), looking.constant(y), "addnorm").value(), sums) == 0.0);
}
