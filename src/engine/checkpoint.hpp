#pragma once

#include "engine/json.hpp"
#include "train/trainer.hpp"

namespace attn::engine {

/// What training needs besides the file of weights to go on, and what it belongs to. A safetensors file of its own: the
/// optimiser's memory as tensors, everything else as JSON strings in its metadata.
struct Checkpoint {
  std::string model;
  Json config;
  std::string weights, data;  // checksums
  train::Trainer::Snapshot training;
};

std::string write_checkpoint(const Checkpoint& checkpoint);

/// Trusts nothing: throws DataError naming the tensor or field. Whether it fits a training is for Trainer::restore to say.
Checkpoint read_checkpoint(std::string_view bytes);

/// FNV-1a, 64 bits: tells files apart that belong to different runs; no protection against malice.
class Checksum {
 public:
  void add(std::string_view bytes);
  void add(const Tensor& tensor);
  std::string str() const;  // 16 hexadecimal digits

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

}  // namespace attn::engine
