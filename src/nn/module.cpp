#include "nn/module.hpp"

#include <cmath>

namespace attn::nn {

Tensor xavier_uniform(std::size_t fan_out, std::size_t fan_in, Rng& rng) {
  return uniform({fan_out, fan_in}, std::sqrt(6.0F / static_cast<float>(fan_in + fan_out)), rng);
}

Tensor uniform(const Shape& shape, float bound, Rng& rng) {
  Tensor out(shape);
  rng.fill_uniform(out, -bound, bound);
  return out;
}

}  // namespace attn::nn
