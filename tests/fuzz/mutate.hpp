#pragma once

#include <string>
#include <vector>

#include "fuzz/target.hpp"
#include "tensor/rng.hpp"

namespace attn::fuzz {

/// Makes new inputs out of old ones: flipped bits, cut and repeated runs, splices, words, length fields and numbers in text.
/// There is no measure of coverage; what takes its place is what the reader says: an input that is refused in new words, or is
/// the first to be accepted with its size, is kept and mutated on. The same seed gives the same inputs.
class Fuzzer {
 public:
  Fuzzer(const Target& target, std::uint64_t seed);

  /// Runs one input more. Throws what the target throws; `input()` then is the finding.
  void step();
  const std::string& input() const { return input_; }
  std::size_t kept() const { return corpus_.size(); }

  static constexpr std::size_t kLongest = 1 << 16;

 private:
  void mutate();
  void mutate_bytes();
  void mutate_runs();
  void mutate_numbers();
  void consider(const std::string& outcome);
  std::size_t below(std::size_t n) { return rng_.below(static_cast<std::uint32_t>(n)); }
  std::size_t place() { return input_.empty() ? 0 : below(input_.size()); }

  const Target& target_;
  Rng rng_;
  std::vector<std::string> corpus_;
  std::vector<std::string> outcomes_;  // sorted
  std::string input_;
  std::size_t steps_ = 0;
};

}  // namespace attn::fuzz
