// Golden files: what PyTorch computed, as tests/parity/generate.py wrote it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tensor/tensor.hpp"

namespace attn::test {

using Json = nlohmann::json;

/// A file of tests/parity/goldens. Throws std::runtime_error naming it when it is not there or is no JSON.
Json golden(const std::string& path);

/// {"shape": […], "values": […]}.
Tensor tensor_of(const Json& json);

struct OpGolden {
  std::vector<Tensor> inputs;
  Tensor output;
  Tensor upstream;                          // d loss / d output, random
  std::map<std::size_t, Tensor> gradients;  // d loss / d input, of the inputs that have one
};
OpGolden op_golden(const std::string& name);

/// The names of all op goldens, without ".json".
std::vector<std::string> op_golden_names();

/// A text file below the repository's root. Throws std::runtime_error naming it when it is not there.
std::string source_text(const std::string& path);
/// The names of the files in a folder below the repository's root, sorted.
std::vector<std::string> source_files(const std::string& folder);

}  // namespace attn::test
