// The one place that knows what the vector unit is. Only kernels/*.cpp include it.
#pragma once

#include <cstddef>
#include <xsimd/xsimd.hpp>
#ifdef __wasm_relaxed_simd__
#include <wasm_simd128.h>
#endif

namespace attn::kernels {

using Batch = xsimd::batch<float>;
inline constexpr std::size_t kLanes = Batch::size;

inline Batch load(const float* p) { return Batch::load_unaligned(p); }
inline void store(float* p, const Batch& x) { x.store_unaligned(p); }

/// a * b + c. Fused where the machine has it: relaxed SIMD in WebAssembly (which xsimd 13.2 does not know), FMA natively.
/// The plain `simd` variant multiplies, then adds, and so gives the same bits everywhere.
inline Batch fma(const Batch& a, const Batch& b, const Batch& c) {
#ifdef __wasm_relaxed_simd__
  return Batch(wasm_f32x4_relaxed_madd(a, b, c));
#else
  return xsimd::fma(a, b, c);
#endif
}

/// Calls f on whole batches of [0, n), then `rest` on each element that is left.
template <class F, class G>
void for_batches(std::size_t n, F&& f, G&& rest) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) f(i);
  for (; i < n; ++i) rest(i);
}

/// The first n lanes of memory, the others 0: a tail in the same arithmetic as the whole batches.
inline Batch load_partial(const float* p, std::size_t n) {
  alignas(64) float lanes[kLanes] = {};
  for (std::size_t i = 0; i < n; ++i) lanes[i] = p[i];
  return Batch::load_aligned(lanes);
}

inline void store_partial(float* p, const Batch& x, std::size_t n) {
  alignas(64) float lanes[kLanes];
  x.store_aligned(lanes);
  for (std::size_t i = 0; i < n; ++i) p[i] = lanes[i];
}

}  // namespace attn::kernels
