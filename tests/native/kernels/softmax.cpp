#include "kernels/softmax.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/samples.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

using Row = void (*)(const float*, float*, std::size_t, std::size_t);

std::vector<float> softmax_of(Row kernel, const std::vector<float>& x, std::size_t valid) {
  std::vector<float> y(x.size(), -1.0F);
  kernel(x.data(), y.data(), x.size(), valid);
  return y;
}

double total(std::span<const float> y) { return std::accumulate(y.begin(), y.end(), 0.0); }

}  // namespace

// Measured: 2.4e-7.
TEST_CASE("softmax kernel: simd gives the reference's weights for every size, alignment and valid length") {
  Rng rng(1);
  for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
    for (const std::size_t valid : {std::size_t{0}, std::size_t{1}, n / 2, n}) {
      Misaligned x(n, shift, rng, 4.0F), fast(n, (shift + 1) % 4), plain(n, 0);
      kernels::softmax_row(x.data(), fast.data(), n, valid);
      kernels::softmax_row_reference(x.data(), plain.data(), n, valid);
      INFO("n ", n, ", valid ", valid, ", shift ", shift);
      CHECK(largest_error(fast.span(), plain.span()) <= 1e-6);
      CHECK(fast.intact());
      CHECK(total(fast.span()) == doctest::Approx(valid == 0 ? 0.0 : 1.0).epsilon(1e-6));
      measured("kernel softmax, simd against reference", largest_error(fast.span(), plain.span()), "");
    }
  });
}

TEST_CASE("softmax kernel: [1, 2, 3, 4] of which three are valid gives .0900 .2447 .6652 and exactly 0") {
  for (const Row kernel : {kernels::softmax_row, kernels::softmax_row_reference}) {
    const auto y = softmax_of(kernel, {1, 2, 3, 4}, 3);
    CHECK(y[0] == doctest::Approx(0.090031).epsilon(1e-5));
    CHECK(y[1] == doctest::Approx(0.244728).epsilon(1e-5));
    CHECK(y[2] == doctest::Approx(0.665241).epsilon(1e-5));
    CHECK(y[3] == 0.0F);
  }
}

TEST_CASE("softmax kernel: a row with no valid key gives zeros, not NaN") {
  for (const Row kernel : {kernels::softmax_row, kernels::softmax_row_reference})
    for (const float y : softmax_of(kernel, {1, 2, 3, 4, 5}, 0)) CHECK(y == 0.0F);
}

TEST_CASE("softmax kernel: neither very large nor very low scores overflow") {
  for (const Row kernel : {kernels::softmax_row, kernels::softmax_row_reference}) {
    const auto large = softmax_of(kernel, {3e38F, 3e38F, -3e38F}, 3);
    CHECK(large[0] == 0.5F);
    CHECK(large[1] == 0.5F);
    CHECK(large[2] == 0.0F);
    CHECK(softmax_of(kernel, {-3e38F, 0}, 1) == std::vector{1.0F, 0.0F});
    CHECK(softmax_of(kernel, {-2e6F, 0}, 1) == std::vector{1.0F, 0.0F});  // fault B4, done right
  }
}

TEST_CASE("softmax kernel: what stands behind the valid keys is never read into a weight, even NaN") {
  for (const Row kernel : {kernels::softmax_row, kernels::softmax_row_reference})
    CHECK(softmax_of(kernel, {0, 0, std::nanf(""), INFINITY}, 2) == std::vector{0.5F, 0.5F, 0.0F, 0.0F});
}

TEST_CASE("softmax kernel: a shift of all scores changes no weight") {
  for (const Row kernel : {kernels::softmax_row, kernels::softmax_row_reference})
    CHECK(softmax_of(kernel, {1, 2, 4}, 3) == softmax_of(kernel, {65, 66, 68}, 3));
}

// Measured: 6.1e-8.
TEST_CASE("softmax kernel: its gradient is y (dy - Σ y dy), added to what was there") {
  Rng rng(2);
  for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
    Misaligned x(n, 0, rng), y(n, shift), dy(n, (shift + 1) % 4, rng), dx(n, (shift + 2) % 4, rng), before(dx);
    kernels::softmax_row(x.data(), y.data(), n, n);
    kernels::softmax_row_backward(y.data(), dy.data(), dx.data(), n);
    double mean = 0.0;
    for (std::size_t i = 0; i < n; ++i) mean += static_cast<double>(y.data()[i]) * dy.data()[i];
    for (std::size_t i = 0; i < n; ++i) {
      const double want = before.data()[i] + y.data()[i] * (dy.data()[i] - mean);
      CHECK(error_of(dx.data()[i], want) <= 5e-7);
      measured("kernel softmax gradient", error_of(dx.data()[i], want), "");
    }
    CHECK(dx.intact());
  });
}

TEST_CASE("softmax kernel: its gradient is written where a mean and a factor are given, over dy too") {
  Rng rng(4);
  for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
    Misaligned y(n, shift, rng), dy(n, (shift + 1) % 4, rng), dx(n, (shift + 2) % 4);
    kernels::softmax_gradient(y.data(), dy.data(), 0.25F, 3.0F, dx.data(), n);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(error_of(dx.data()[i], 3.0 * y.data()[i] * (dy.data()[i] - 0.25)) <= 1e-6);
    kernels::softmax_gradient(y.data(), dy.data(), 0.25F, 3.0F, dy.data(), n);
    CHECK(largest_error(dy.span(), dx.span()) == 0.0);
    CHECK((dx.intact() && dy.intact()));
  });
}

// Measured: 7.0e-8.
TEST_CASE("log_sum_exp: is log Σ exp, and does not overflow") {
  Rng rng(3);
  for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
    Misaligned x(n, shift, rng, 3.0F);
    double sum = 0.0;
    for (const float v : x.span()) sum += std::exp(static_cast<double>(v));
    CHECK(error_of(kernels::log_sum_exp(x.data(), n), std::log(sum)) <= 1e-6);
    measured("kernel log_sum_exp", error_of(kernels::log_sum_exp(x.data(), n), std::log(sum)), "");
  });
  const std::vector<float> large = {1000, 1000}, low = {-1000, -1000};
  CHECK(kernels::log_sum_exp(large.data(), 2) == doctest::Approx(1000.693147));
  CHECK(kernels::log_sum_exp(low.data(), 2) == doctest::Approx(-999.306853));
}
