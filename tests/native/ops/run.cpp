#include "ops/run.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "ops/arithmetic.hpp"
#include "ops/reduce.hpp"

namespace attn::test {

CaseRun forward(const OpCase& c, const std::vector<Tensor>& inputs, Record record, kernels::MatmulPath path) {
  CaseRun run;
  run.rng = std::make_unique<Rng>(1);
  run.graph =
      std::make_unique<Graph>(Graph::Options{.record = record, .training = true, .path = path, .rng = run.rng.get()});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool differentiable = std::ranges::count(c.differentiable, i) > 0;
    run.inputs.push_back(run.graph->input("input" + std::to_string(i), {}, inputs[i], differentiable));
  }
  run.output = c.build(run.inputs);
  return run;
}

Var weighed(const Var& output, const Tensor& upstream) { return sum(output * output.graph().constant(upstream)); }

void for_each_case(void (*f)(const OpCase& c, const OpGolden& golden)) {
  for (const OpCase& c : op_cases()) {
    INFO("op case ", c.name);
    try {
      f(c, op_golden(c.name));
    } catch (const std::exception& error) {
      FAIL_CHECK(c.name << ": " << std::string(error.what()));
    }
  }
}

}  // namespace attn::test
