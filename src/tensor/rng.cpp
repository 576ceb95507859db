#include "tensor/rng.hpp"

#include <cmath>
#include <numbers>

namespace attn {
Rng::Rng(std::uint64_t seed) {
  state_.state = seed + kIncrement;
  next();  // the first output then depends on every bit of the seed
}

float Rng::normal() {
  if (state_.has_spare) {
    state_.has_spare = false;
    return state_.spare;
  }
  const double u = 1.0 - uniform();  // in (0, 1]: its logarithm is finite
  const double angle = 2.0 * std::numbers::pi * uniform();
  const double radius = std::sqrt(-2.0 * std::log(u));
  state_.spare = static_cast<float>(radius * std::sin(angle));
  state_.has_spare = true;
  return static_cast<float>(radius * std::cos(angle));
}

std::uint32_t Rng::below(std::uint32_t n) {
  const std::uint32_t threshold = (0U - n) % n;  // 2^32 mod n: outputs under it would be counted once too often
  std::uint32_t x = next();
  while (x < threshold) x = next();
  return x % n;
}

void Rng::fill_uniform(Tensor& tensor, float low, float high) {
  for (float& x : tensor.mutable_values()) x = uniform(low, high);
}

void Rng::fill_normal(Tensor& tensor, float std) {
  for (float& x : tensor.mutable_values()) x = std * normal();
}

}  // namespace attn
