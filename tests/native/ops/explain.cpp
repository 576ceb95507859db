#include <doctest/doctest.h>

#include "ops/run.hpp"
#include "support/explained.hpp"

using namespace attn;
using namespace attn::test;

namespace {

constexpr std::size_t kCells = 24;  // of a tensor that has more, so many are drawn

}  // namespace

// Measured: 8.9e-8 of the magnitude.
TEST_CASE("ops: every value is explained by the recorded numbers that made it") {
  for_each_case([](const OpCase& c, const OpGolden& golden) {
    const CaseRun run = forward(c, golden.inputs, Record::everything);
    check_values_explained(*run.graph, kCells, "op explanation of a value", c.name);
  });
}

// Measured: 3.0e-7 of the magnitude.
TEST_CASE(
    "ops: every gradient is explained by the shares of those who used the number, and what has none explains as 0") {
  for_each_case([](const OpCase& c, const OpGolden& golden) {
    const CaseRun run = forward(c, golden.inputs, Record::everything);
    run.graph->backward(weighed(run.output, golden.upstream));
    check_gradients_explained(*run.graph, kCells, "op explanation of a gradient", c.name);
  });
}
