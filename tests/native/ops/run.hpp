// One run of an op case: its graph, from the golden's inputs to a loss that weighs the output by the golden's upstream.
#pragma once

#include <memory>

#include "ops/cases.hpp"
#include "support/golden.hpp"

namespace attn::test {

struct CaseRun {
  std::unique_ptr<Rng> rng;  // seed 1: what generate.py's dropout draws from
  std::unique_ptr<Graph> graph;
  std::vector<Var> inputs;
  Var output;
};

/// Forward on the golden's inputs (or on others of the same shapes).
CaseRun forward(const OpCase& c, const std::vector<Tensor>& inputs, Record record,
                kernels::MatmulPath path = kernels::MatmulPath::simd);

/// Σ upstream · output: backward() from it is PyTorch's autograd with that upstream gradient.
Var weighed(const Var& output, const Tensor& upstream);

/// Calls f on every case with its golden. What it throws (a missing golden among it) is a failure that names the case, and
/// the cases after it still run.
void for_each_case(void (*f)(const OpCase& c, const OpGolden& golden));

}  // namespace attn::test
