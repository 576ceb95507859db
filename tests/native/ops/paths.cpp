#include <doctest/doctest.h>

#include "ops/run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;
using kernels::MatmulPath;

namespace {

CaseRun there_and_back(const OpCase& c, const OpGolden& golden, MatmulPath path) {
  CaseRun run = forward(c, golden.inputs, Record::everything, path);
  run.graph->backward(weighed(run.output, golden.upstream));
  return run;
}

}  // namespace

TEST_CASE("ops: the simd products give the reference's outputs and gradients") {
  for_each_case([](const OpCase& c, const OpGolden& golden) {
    const CaseRun fast = there_and_back(c, golden, MatmulPath::simd),
                  plain = there_and_back(c, golden, MatmulPath::reference);
    check_close(c.name + ", output", fast.output.value(), plain.output.value(), 2e-6);
    measured("op products, simd against reference", largest_error(fast.output.value(), plain.output.value()), c.name);
    for (const std::size_t i : c.differentiable) {
      const Tensor &got = fast.inputs[i].gradient(), &want = plain.inputs[i].gradient();
      check_close(c.name + ", gradient", got, want, 2e-6);
      measured("op products, simd against reference", largest_error(got, want), c.name);
    }
  });
}
