#include <doctest/doctest.h>

#include <algorithm>

#include "ops/run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

void compare(const OpCase& c, const std::string& topic, const Tensor& got, const Tensor& want) {
  measured(topic, largest_error(got, want), c.name);
  check_close(c.name + ", " + topic, got, want, c.tolerance);
}

/// The golden has a gradient of just those inputs of which the table wants one.
void check_gradients_listed(const OpCase& c, const OpGolden& golden) {
  std::vector<std::size_t> listed;
  for (const auto& [index, gradient] : golden.gradients) listed.push_back(index);
  CHECK(listed == c.differentiable);
}

std::vector<Var> leaves(Graph& graph, const OpGolden& golden, std::vector<Parameter>& parameters) {
  std::vector<Var> out;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    out.push_back(golden.gradients.contains(i) ? graph.parameter(parameters[i]) : graph.constant(golden.inputs[i]));
  return out;
}

}  // namespace

// Measured: 6.8e-7, but for cross_entropy_wide (see the table).
TEST_CASE("ops: every output is PyTorch's") {
  for_each_case([](const OpCase& c, const OpGolden& golden) {
    const CaseRun run = forward(c, golden.inputs, Record::nothing);
    compare(c, "op output", run.output.value(), golden.output);
  });
}

TEST_CASE("ops: every gradient is that of PyTorch's autograd") {
  for_each_case([](const OpCase& c, const OpGolden& golden) {
    check_gradients_listed(c, golden);
    const CaseRun run = forward(c, golden.inputs, Record::everything);
    run.graph->backward(weighed(run.output, golden.upstream));
    for (const auto& [index, want] : golden.gradients) compare(c, "op gradient", run.inputs.at(index).gradient(), want);
  });
}

TEST_CASE("ops: a training graph, which releases as it goes, gives parameters the same gradients") {
  for_each_case([](const OpCase& c, const OpGolden& golden) {
    std::vector<Parameter> parameters(golden.inputs.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].value = golden.inputs[i];
    Rng rng(1);
    Graph graph({.record = Record::backward, .training = true, .rng = &rng});
    graph.backward(weighed(c.build(leaves(graph, golden, parameters)), golden.upstream));
    for (const auto& [index, want] : golden.gradients) compare(c, "op gradient", parameters[index].gradient, want);
  });
}
