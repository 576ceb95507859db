// THE table of op cases. One line serves all uses: golden forward and gradients, finite differences, explanations in both
// directions, the products' paths, and the check that every op has a case.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace attn::test {

using Inputs = const std::vector<Var>&;

struct OpCase {
  std::string name;                         // its golden is tests/parity/goldens/ops/<name>.json
  std::string function;                     // the function of src/ops/*.hpp that it covers
  Var (*build)(Inputs x);                   // from the golden's inputs
  std::vector<std::size_t> differentiable;  // which inputs have a gradient
  double tolerance = 3e-6;                  // of output and gradients against the golden; measured: 6.8e-7
  float step = 0x1p-5F;                     // of finite differences
  double finite_tolerance = 1.5e-4;         // of finite differences against backward(); measured: 8.6e-5
};

const std::vector<OpCase>& op_cases();

}  // namespace attn::test
