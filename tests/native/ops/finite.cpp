#include <doctest/doctest.h>

#include "ops/run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// The function whose gradient is sought: Σ upstream · output, the sum in double so that only the op itself rounds.
double weighed_output(const OpCase& c, const OpGolden& golden, const std::vector<Tensor>& inputs) {
  const CaseRun run = forward(c, inputs, Record::nothing);
  double total = 0.0;
  for (std::size_t i = 0; i < run.output.value().size(); ++i)
    total += static_cast<double>(golden.upstream.values()[i]) * run.output.value().values()[i];
  return total;
}

/// (f(x + d) - f(x - d)) / what the floats really moved by.
double central_difference(const OpCase& c, const OpGolden& golden, std::size_t input, std::size_t at, float d) {
  std::vector<Tensor> inputs = golden.inputs;
  inputs[input] = inputs[input].copy();
  float& x = inputs[input].mutable_values()[at];
  const float above = x + d, below = x - d;
  x = above;
  const double upper = weighed_output(c, golden, inputs);
  x = below;
  return (upper - weighed_output(c, golden, inputs)) / (static_cast<double>(above) - below);
}

/// Richardson's extrapolation from steps d and 2d: the error is of fourth order in d, so d can be large enough for float.
double slope(const OpCase& c, const OpGolden& golden, std::size_t input, std::size_t at) {
  const double near = central_difference(c, golden, input, at, c.step);
  const double far = central_difference(c, golden, input, at, 2.0F * c.step);
  return near + (near - far) / 3.0;
}

}  // namespace

TEST_CASE("ops: every gradient is the slope that finite differences find") {
  for_each_case([](const OpCase& c, const OpGolden& golden) {
    const CaseRun run = forward(c, golden.inputs, Record::everything);
    run.graph->backward(weighed(run.output, golden.upstream));
    for (const std::size_t input : c.differentiable)
      for (std::size_t i = 0; i < golden.inputs[input].size(); ++i) {
        const double got = run.inputs[input].gradient().values()[i], want = slope(c, golden, input, i);
        measured("op finite differences", error_of(got, want), c.name);
        INFO("element ", i, " of input ", input, ": gradient ", got, ", slope ", want);
        CHECK(error_of(got, want) <= c.finite_tolerance);
      }
  });
}
