#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "tensor/tensor.hpp"

namespace attn {

/// A seeded random generator: PCG32 (O'Neill 2014, XSH RR 64/32), the same numbers on every machine.
/// First outputs of next() for seed 0 stand in tests/native/tensor/rng.cpp. It is passed, never global.
class Rng {
 public:
  explicit Rng(std::uint64_t seed = 0);

  std::uint32_t next() {
    const std::uint64_t old = state_.state;
    state_.state = old * kMultiplier + kIncrement;
    const auto xorshifted = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
    return std::rotr(xorshifted, static_cast<int>(old >> 59U));
  }
  /// Uniform in [0, 1), a multiple of 2^-24.
  float uniform() { return static_cast<float>(next() >> 8) * 0x1p-24F; }
  float uniform(float low, float high) { return low + (high - low) * uniform(); }
  /// Normal by Box and Muller (1958), in double, both halves used.
  float normal();
  /// Uniform integer in [0, n), n > 0, without bias.
  std::uint32_t below(std::uint32_t n);

  void fill_uniform(Tensor& tensor, float low, float high);
  void fill_normal(Tensor& tensor, float std = 1.0F);

  template <class T>
  void shuffle(std::span<T> items) {  // Fisher and Yates
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
  }

  /// All of the generator, for checkpoints.
  struct State {
    std::uint64_t state;
    float spare;
    bool has_spare;
  };
  State state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  static constexpr std::uint64_t kMultiplier = 6364136223846793005ULL, kIncrement = 1442695040888963407ULL;
  State state_{};
};

}  // namespace attn
