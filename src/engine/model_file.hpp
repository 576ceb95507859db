#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.hpp"

namespace attn::engine {

/// A safetensors file: an 8-byte length, a JSON header (names, dtypes, shapes, offsets; strings under __metadata__), and the
/// bytes of the tensors. Only float32 is written; F32, F64, F16 and BF16 are read, in any order.
struct ModelFile {
  std::map<std::string, std::string> metadata;
  std::vector<std::pair<std::string, Tensor>> tensors;
};

/// Trusts nothing: sizes, offsets, names and shapes are checked before anything is allocated, values must be finite.
/// Throws DataError that names the tensor or field.
ModelFile read_safetensors(std::string_view bytes);

/// The same of a file of weights: it has tensors, and is no checkpoint.
ModelFile read_model_file(std::string_view bytes);

std::string write_model_file(const ModelFile& file);

}  // namespace attn::engine
