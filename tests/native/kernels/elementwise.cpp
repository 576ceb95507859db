#include "kernels/elementwise.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "kernels/samples.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

using Kernel = void (*)(const float*, float*, std::size_t);

struct Pair {
  const char* name;
  Kernel simd, reference;
  double (*truth)(double);
  float low, high;  // where a relative error means something
};

const Pair kPairs[] = {
    {"exp", kernels::exp, kernels::exp_reference, [](double x) { return std::exp(x); }, -87.0F, 88.0F},
    {"tanh", kernels::tanh, kernels::tanh_reference, [](double x) { return std::tanh(x); }, -12.0F, 12.0F},
    {"sigmoid", kernels::sigmoid, kernels::sigmoid_reference, [](double x) { return 1.0 / (1.0 + std::exp(-x)); },
     -87.0F, 30.0F},
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float once(Kernel kernel, float x) {
  float y = 0.0F;
  kernel(&x, &y, 1);
  return y;
}

/// Largest |got - want| / |want| over a fine grid of the range.
double relative_error(Kernel kernel, const Pair& p) {
  constexpr std::size_t n = 20001;
  std::vector<float> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = p.low + (p.high - p.low) * static_cast<float>(i) / (n - 1);
  kernel(x.data(), y.data(), n);
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    if (const double want = p.truth(x[i]); want != 0.0)
      largest = std::max(largest, std::abs(y[i] - want) / std::abs(want));
  return largest;
}

}  // namespace

TEST_CASE("elementwise kernels: simd gives the reference's values for every size and alignment, in place too") {
  Rng rng(1);
  for (const Pair& p : kPairs)
    for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
      Misaligned x(n, shift, rng, 3.0F), fast(n, (shift * 3) % 7), plain(n, 0);
      p.simd(x.data(), fast.data(), n);
      p.reference(x.data(), plain.data(), n);
      p.simd(x.data(), x.data(), n);
      INFO(std::string(p.name), ", n ", n, ", shift ", shift);
      CHECK(largest_error(fast.span(), plain.span()) <= 3e-7);
      CHECK(largest_error(x.span(), fast.span()) == 0.0);
      CHECK((fast.intact() && x.intact()));
      measured("kernel " + std::string(p.name) + ", simd against reference", largest_error(fast.span(), plain.span()),
               "");
    });
}

// Measured, relative: exp 1.2e-7, tanh 1.4e-7, sigmoid 1.5e-7.
TEST_CASE("elementwise kernels: are within 3e-7 of the true value, relative, over their whole range") {
  for (const Pair& p : kPairs) {
    INFO(std::string(p.name));
    const double simd = relative_error(p.simd, p), reference = relative_error(p.reference, p);
    CHECK(simd <= 3e-7);
    CHECK(reference <= 3e-7);
    measured("kernel " + std::string(p.name) + ", relative to the truth", simd, "");
  }
}

TEST_CASE("elementwise kernels: a value does not depend on where in the array it stands") {
  for (const Pair& p : kPairs) {
    std::vector<float> x(37, 0.731F), y(37);
    p.simd(x.data(), y.data(), x.size());
    for (const float value : y) CHECK(value == y[0]);
  }
}

TEST_CASE("exp: is 1 at 0, 0 far below, infinite far above, and never NaN between") {
  for (const Kernel kernel : {kernels::exp, kernels::exp_reference}) {
    CHECK(once(kernel, 0.0F) == 1.0F);
    CHECK(once(kernel, -200.0F) == 0.0F);
    CHECK(once(kernel, -kInfinity) == 0.0F);
    CHECK(once(kernel, 200.0F) == kInfinity);
    CHECK(once(kernel, kInfinity) == kInfinity);
    CHECK(once(kernel, -100.0F) < 1.2e-38F);  // below the smallest normal float: 0, or nearly
    CHECK(std::isnan(once(kernel, std::nanf(""))));
  }
}

TEST_CASE("tanh: is exactly 0 at 0, -1 and 1 far out, and odd") {
  for (const Kernel kernel : {kernels::tanh, kernels::tanh_reference}) {
    CHECK(once(kernel, 0.0F) == 0.0F);
    for (const float x : {20.0F, 100.0F, 1e30F, kInfinity}) {
      CHECK(once(kernel, x) == 1.0F);
      CHECK(once(kernel, -x) == -1.0F);
    }
    for (const float x : {1e-20F, 1e-5F, 0.1F, 0.7F, 3.0F}) CHECK(once(kernel, -x) == -once(kernel, x));
    CHECK(once(kernel, 1e-20F) == doctest::Approx(1e-20).epsilon(1e-6));
    CHECK(std::isnan(once(kernel, std::nanf(""))));
  }
}

TEST_CASE("sigmoid: is 1/2 at 0, 0 and 1 far out, and never overflows on the way") {
  for (const Kernel kernel : {kernels::sigmoid, kernels::sigmoid_reference}) {
    CHECK(once(kernel, 0.0F) == 0.5F);
    for (const float x : {100.0F, 1e30F, kInfinity}) {
      CHECK(once(kernel, x) == 1.0F);
      CHECK(once(kernel, -x) <= 4e-44F);
      CHECK(once(kernel, -x) >= 0.0F);
    }
    CHECK(std::isnan(once(kernel, std::nanf(""))));
  }
}

TEST_CASE(
    "combine: simd gives the reference's numbers for every size and alignment, repeating either operand, in place "
    "too") {
  using kernels::Pairing;
  Rng rng(9);
  for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
    for (const Pairing op : {Pairing::add, Pairing::subtract, Pairing::multiply})
      for (const std::size_t x_step : {0U, 1U})
        for (const std::size_t y_step : {0U, 1U}) {
          Misaligned x(n, shift, rng), y(n, (shift + 1) % 4, rng), fast(n, (shift + 2) % 4), plain(n, 0);
          kernels::combine(op, x.data(), x_step, y.data(), y_step, fast.data(), n);
          kernels::combine_reference(op, x.data(), x_step, y.data(), y_step, plain.data(), n);
          kernels::combine(op, x.data(), x_step, y.data(), y_step, y.data(), n);
          INFO("n ", n, ", shift ", shift);
          CHECK(largest_error(fast.span(), plain.span()) == 0.0);
          CHECK(largest_error(y.span(), plain.span()) == 0.0);
          CHECK((fast.intact() && y.intact()));
        }
  });
}
