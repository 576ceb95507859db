#include "kernels/reduce.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "kernels/samples.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

// Measured: sum 5.5e-8, dot 6.6e-8 (against double, in units of Σ|terms|).
TEST_CASE("reductions: sum, dot and the sum of squares are those of double arithmetic, for every size and alignment") {
  Rng rng(1);
  for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
    Misaligned x(n, shift, rng), y(n, (shift + 1) % 4, rng);
    double sum = 0, magnitude = 0, dot = 0, dot_magnitude = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double a = x.data()[i], b = y.data()[i];
      sum += a, magnitude += std::abs(a), dot += a * b, dot_magnitude += std::abs(a * b), squares += a * a;
    }
    INFO("n ", n, ", shift ", shift);
    CHECK(std::abs(kernels::sum(x.data(), n) - sum) <= 1e-6 * magnitude);
    CHECK(std::abs(kernels::dot(x.data(), y.data(), n) - dot) <= 1e-6 * dot_magnitude);
    CHECK(kernels::sum_of_squares(x.data(), n) == doctest::Approx(squares).epsilon(1e-12));
    measured("kernel sum, in units of the terms", std::abs(kernels::sum(x.data(), n) - sum) / magnitude, "");
    measured("kernel dot, in units of the terms", std::abs(kernels::dot(x.data(), y.data(), n) - dot) / dot_magnitude,
             "");
  });
}

TEST_CASE("reductions: of nothing are 0") {
  CHECK(kernels::sum(nullptr, 0) == 0.0F);
  CHECK(kernels::dot(nullptr, nullptr, 0) == 0.0F);
  CHECK(kernels::sum_of_squares(nullptr, 0) == 0.0);
}

TEST_CASE("sum_of_squares: does not lose small gradients beside a large one") {
  std::vector<float> x(1001, 1.0F);
  x[0] = 1e5F;  // its square swallows 1 in float32
  CHECK(kernels::sum_of_squares(x.data(), x.size()) == 1e10 + 1000.0);
}

TEST_CASE("max: finds the largest wherever it stands") {
  for (const std::size_t n : kSizes)
    for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<float> x(n, -5.0F);
      x[at] = -1.0F;
      CHECK(kernels::max(x.data(), n) == -1.0F);
    }
}

TEST_CASE("scale, add_to and add_scaled: change all of the array and nothing beside it, for every size and alignment") {
  Rng rng(2);
  for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
    Misaligned x(n, shift, rng), y(n, (shift + 3) % 4, rng), scaled(y), added(y), both(y);
    kernels::scale(0.3F, scaled.data(), n);
    kernels::add_to(x.data(), added.data(), n);
    kernels::add_scaled(-0.7F, x.data(), both.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      const float a = x.data()[i], b = y.data()[i];
      CHECK(scaled.data()[i] == b * 0.3F);
      CHECK(added.data()[i] == b + a);
      CHECK(error_of(both.data()[i], b - 0.7 * a) <= 3e-7);  // fused where the machine can; measured: 1.2e-7
    }
    CHECK((x.intact() && scaled.intact() && added.intact() && both.intact()));
  });
}
