#include "kernels/gru.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "kernels/samples.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// A step's operands and results, rows × hidden.
struct Step {
  std::size_t rows, hidden;
  Misaligned gi, gh, h, gates, out;

  Step(std::size_t r, std::size_t n, std::size_t shift, float std, Rng& rng)
      : rows(r),
        hidden(n),
        gi(3 * r * n, shift, rng, std),
        gh(3 * r * n, (shift + 1) % 4, rng, std),
        h(r * n, (shift + 2) % 4, rng),
        gates(3 * r * n, (shift + 3) % 4),
        out(r * n, shift) {}

  void run(bool simd) {
    (simd ? kernels::gru_gates : kernels::gru_gates_reference)(gi.data(), gh.data(), h.data(), gates.data(), out.data(),
                                                               rows, hidden);
  }
  bool intact() const { return gates.intact() && out.intact(); }
};

/// Σ weight · h' in double, with gi, gh, h as they are now.
double weighed(const Step& step, std::vector<float>& dout) {
  Step copy(step);
  copy.run(true);
  double sum = 0.0;
  for (std::size_t i = 0; i < dout.size(); ++i) sum += static_cast<double>(dout[i]) * copy.out.data()[i];
  return sum;
}

double slope(Step& step, float& x, std::vector<float>& dout) {
  const auto difference = [&](float d) {
    const float at = x;
    x = at + d;
    const double upper = weighed(step, dout);
    x = at - d;
    const double lower = weighed(step, dout);
    x = at;
    return (upper - lower) / (2.0 * d);
  };
  const double near = difference(0x1p-5F), far = difference(0x1p-4F);
  return near + (near - far) / 3.0;
}

}  // namespace

// Measured: 6.0e-7.
TEST_CASE("gru kernel: simd gives the reference's gates and states for every size and alignment, saturated ones too") {
  Rng rng(1);
  for_sizes_and_shifts([&](std::size_t hidden, std::size_t shift) {
    for (const std::size_t rows : {1U, 3U})
      for (const float std : {1.0F, 40.0F}) {
        Step fast(rows, hidden, shift, std, rng), plain(fast);
        fast.run(true);
        plain.run(false);
        INFO("rows ", rows, ", hidden ", hidden, ", shift ", shift);
        CHECK(largest_error(fast.gates.span(), plain.gates.span()) <= 3e-6);
        CHECK(largest_error(fast.out.span(), plain.out.span()) <= 3e-6);
        CHECK(fast.intact());
        measured("kernel gru, simd against reference", largest_error(fast.out.span(), plain.out.span()), "");
      }
  });
}

TEST_CASE("gru kernel: an open update gate keeps the state, a closed one takes the candidate") {
  for (const bool simd : {true, false}) {
    Rng rng(2);
    Step step(1, 1, 0, 0.0F, rng);
    step.h.data()[0] = 0.5F;
    step.gi.data()[1] = 100.0F;  // z = 1
    step.gi.data()[2] = 1.0F;
    step.run(simd);
    CHECK(step.out.data()[0] == 0.5F);
    step.gi.data()[1] = -100.0F;  // z = 0
    step.run(simd);
    CHECK(step.out.data()[0] == doctest::Approx(std::tanh(1.0)).epsilon(1e-6));
  }
}

TEST_CASE("gru kernel: a closed reset gate hides the state's part of the candidate, its bias included") {
  for (const bool simd : {true, false}) {
    Rng rng(3);
    Step step(1, 1, 0, 0.0F, rng);
    step.gi.data()[0] = -100.0F;  // r = 0
    step.gi.data()[1] = -100.0F;  // z = 0
    step.gh.data()[2] = 5.0F;
    step.run(simd);
    CHECK(step.out.data()[0] == 0.0F);
  }
}

// Measured: 1.9e-6.
TEST_CASE("gru kernel: its gradients are the slopes that finite differences find, and dh is added to") {
  Rng rng(4);
  Step step(2, 5, 1, 1.0F, rng);
  step.run(true);
  std::vector<float> dout(10), dgi(30), dgh(30), dh(10, 7.0F);
  for (float& x : dout) x = rng.normal();
  kernels::gru_gates_backward(step.gh.data(), step.h.data(), step.gates.data(), dout.data(), dgi.data(), dgh.data(),
                              dh.data(), 2, 5);
  const auto compare = [&](std::span<float> x, const std::vector<float>& got, double before) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = error_of(got[i] - before, slope(step, x[i], dout));
      CHECK(error <= 2e-5);
      measured("kernel gru gradient, finite differences", error, "");
    }
  };
  compare(step.gi.span(), dgi, 0.0);
  compare(step.gh.span(), dgh, 0.0);
  compare(step.h.span(), dh, 7.0);
}
