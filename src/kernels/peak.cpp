#include "kernels/peak.hpp"

#include "kernels/simd.hpp"

namespace attn::kernels {

std::size_t multiply_in_registers(std::size_t rounds) {
  // As many independent sums as hide the latency of a multiply-add and still fit 16 registers beside the two factors.
  constexpr std::size_t kSums = 12;
  const Batch factor(0.999F), other(1e-3F);
  Batch sums[kSums];
  for (std::size_t i = 0; i < kSums; ++i) sums[i] = Batch(static_cast<float>(i));
  for (std::size_t round = 0; round < rounds; ++round)
    for (Batch& sum : sums) sum = fma(sum, factor, other);
  Batch total(0.0F);
  for (const Batch& sum : sums) total += sum;
  volatile float kept = xsimd::reduce_add(total);
  static_cast<void>(kept);
  return rounds * kSums * kLanes;
}

}  // namespace attn::kernels
