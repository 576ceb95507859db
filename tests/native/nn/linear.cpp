#include "nn/linear.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/arithmetic.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"

using namespace attn;

namespace {

/// Checks that values look drawn from U(-bound, bound): they fill the range, and have its variance bound²/3.
void check_uniform(const Tensor& x, double bound) {
  const auto [low, high] = std::ranges::minmax(x.values());
  const double n = static_cast<double>(x.size());
  const double squares = std::inner_product(x.values().begin(), x.values().end(), x.values().begin(), 0.0);
  INFO("bound ", bound, ", values from ", low, " to ", high);
  CHECK(low >= -bound);
  CHECK(high <= bound);
  CHECK(high > bound * (1.0 - 20.0 / n));
  CHECK(low < -bound * (1.0 - 20.0 / n));
  CHECK(squares / n == doctest::Approx(bound * bound / 3.0).epsilon(6.0 / std::sqrt(n)));
}

}  // namespace

TEST_CASE("xavier: is uniform with bound √(6 / (fan_in + fan_out)), so of variance 2 / (fan_in + fan_out)") {
  Rng rng(1);
  check_uniform(nn::xavier_uniform(96, 32, rng), std::sqrt(6.0 / 128.0));
  check_uniform(nn::xavier_uniform(7, 500, rng), std::sqrt(6.0 / 507.0));
}

TEST_CASE("xavier: keeps the size of numbers on their way through a square layer, and of gradients on their way back") {
  Rng rng(2);
  Parameter weight{nn::xavier_uniform(300, 300, rng), {}, "w"};
  Tensor x({300, 300}), upstream({300, 300});
  rng.fill_normal(x);
  rng.fill_normal(upstream);
  Graph graph({});
  const Var in = graph.input("x", {}, x, true);
  const Var out = linear(in, graph.parameter(weight), {});
  graph.backward(sum(out * graph.constant(upstream)));
  const auto mean_square = [](const Tensor& t) {
    return std::inner_product(t.values().begin(), t.values().end(), t.values().begin(), 0.0) / 9e4;
  };
  CHECK(mean_square(out.value()) == doctest::Approx(1.0).epsilon(0.03));
  CHECK(mean_square(in.gradient()) == doctest::Approx(1.0).epsilon(0.03));
}

TEST_CASE("linear: draws its weight by xavier and its bias from ±1/√in") {
  Rng rng(2);
  const nn::Linear layer(25, 400, true, rng);
  check_uniform(layer.weight.value, std::sqrt(6.0 / 425.0));
  check_uniform(layer.bias.value, 0.2);
}

TEST_CASE("linear: without bias it has one parameter, and no sum is added") {
  Rng rng(3);
  nn::Linear layer(3, 2, false, rng);
  int count = 0;
  layer.visit("dense", [&](const std::string& path, Parameter&) {
    ++count;
    CHECK(path == "dense.weight");
  });
  CHECK(count == 1);
  Graph graph({});
  for (const float y : layer(graph.constant(Tensor::zeros({4, 3}))).value().values()) CHECK(y == 0.0F);
}

TEST_CASE("embedding: is drawn from N(0, 1), PyTorch's default") {
  Rng rng(4);
  const nn::Embedding table(1000, 20, rng);
  const auto values = table.weight.value.values();
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 2e4;
  const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0) / 2e4;
  CHECK(std::abs(mean) < 0.03);
  CHECK(squares == doctest::Approx(1.0).epsilon(0.04));
}

TEST_CASE("layers: one seed gives one set of weights") {
  Rng a(5), b(5), c(6);
  const auto first = [](Rng& rng) { return nn::Linear(3, 2, true, rng).weight.value.values()[0]; };
  const float x = first(a);
  CHECK(x == first(b));
  CHECK(x != first(c));
}
