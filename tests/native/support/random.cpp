#include "support/random.hpp"

namespace attn::test {

Tensor random(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed);
  Tensor out(shape);
  rng.fill_normal(out);
  return out;
}

}  // namespace attn::test
