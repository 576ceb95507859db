#pragma once

#include "tensor/rng.hpp"

namespace attn::test {

/// Normal numbers from a seed of their own.
Tensor random(const Shape& shape, std::uint64_t seed);

}  // namespace attn::test
