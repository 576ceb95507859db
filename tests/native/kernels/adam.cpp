#include "kernels/adam.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "kernels/samples.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;
using kernels::AdamStep;

namespace {

AdamStep step_at(int t) { return {0.005F, 0.9, 0.999, 1e-8, t}; }

struct State {
  Misaligned m, v, w;
  State(std::size_t n, std::size_t shift, Rng& rng) : m(n, shift), v(n, (shift + 1) % 4), w(n, (shift + 2) % 4, rng) {
    for (float& x : m.span()) x = 0.0F;
    for (float& x : v.span()) x = 0.0F;
  }
  bool intact() const { return m.intact() && v.intact() && w.intact(); }
};

}  // namespace

// Measured over five steps: 1.1e-7.
TEST_CASE("adam kernel: simd makes the reference's steps for every size and alignment") {
  Rng rng(1);
  for_sizes_and_shifts([&](std::size_t n, std::size_t shift) {
    State fast(n, shift, rng), plain(fast);
    for (int t = 1; t <= 5; ++t) {
      Misaligned g(n, (shift + 3) % 4, rng);
      kernels::adam(step_at(t), g.data(), fast.m.data(), fast.v.data(), fast.w.data(), n);
      kernels::adam_reference(step_at(t), g.data(), plain.m.data(), plain.v.data(), plain.w.data(), n);
    }
    INFO("n ", n, ", shift ", shift);
    CHECK(largest_error(fast.m.span(), plain.m.span()) <= 5e-7);
    CHECK(largest_error(fast.v.span(), plain.v.span()) <= 5e-7);
    CHECK(largest_error(fast.w.span(), plain.w.span()) <= 5e-7);
    CHECK(fast.intact());
    measured("kernel adam, simd against reference", largest_error(fast.w.span(), plain.w.span()), "");
  });
}

TEST_CASE("adam kernel: the first step is the rate against the sign of the gradient, whatever its size") {
  for (const auto kernel : {kernels::adam, kernels::adam_reference})
    for (const float gradient : {3.0F, -0.001F, 1000.0F}) {
      float m = 0.0F, v = 0.0F, w = 1.0F;
      kernel(step_at(1), &gradient, &m, &v, &w, 1);
      CHECK(w == doctest::Approx(1.0 - std::copysign(0.005, gradient)).epsilon(1e-5));
      CHECK(m == doctest::Approx(0.1 * gradient).epsilon(1e-6));
      CHECK(v == doctest::Approx(0.001 * gradient * gradient).epsilon(1e-6));
    }
}

TEST_CASE("adam kernel: without gradient and momentum a weight stays") {
  for (const auto kernel : {kernels::adam, kernels::adam_reference}) {
    const float gradient = 0.0F;
    float m = 0.0F, v = 0.0F, w = 0.75F;
    kernel(step_at(1), &gradient, &m, &v, &w, 1);
    CHECK(w == 0.75F);
  }
}
