// The one place that knows what the vector unit is. Only kernels/*.cpp include it.
#pragma once

#include <array>
#include <cstddef>
#include <xsimd/xsimd.hpp>
#ifdef __wasm_simd128__
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

/// The first n lanes of memory, 0 < n < kLanes, the others 0: a tail in the same arithmetic as the whole batches.
inline Batch load_partial(const float* p, std::size_t n) {
#ifdef __wasm_simd128__
  if (n == 1) return Batch(wasm_v128_load32_zero(p));
  const v128_t two = wasm_v128_load64_zero(p);
  return Batch(n == 2 ? two : wasm_v128_load32_lane(p + 2, two, 2));
#else
  alignas(64) float lanes[kLanes] = {};
  for (std::size_t i = 0; i < n; ++i) lanes[i] = p[i];
  return Batch::load_aligned(lanes);
#endif
}

inline void store_partial(float* p, const Batch& x, std::size_t n) {
#ifdef __wasm_simd128__
  if (n == 1) return wasm_v128_store32_lane(p, x, 0);
  wasm_v128_store64_lane(p, x, 0);
  if (n == 3) wasm_v128_store32_lane(p + 2, x, 2);
#else
  alignas(64) float lanes[kLanes];
  x.store_aligned(lanes);
  for (std::size_t i = 0; i < n; ++i) p[i] = lanes[i];
#endif
}

/// The n lanes from p on, and where they are all that a batch has, without a branch.
inline Batch load_some(const float* p, std::size_t n) { return n == kLanes ? load(p) : load_partial(p, n); }
inline void store_some(float* p, const Batch& x, std::size_t n) { n == kLanes ? store(p, x) : store_partial(p, x, n); }

/// f(i, n) for batch after batch of [0, size): n lanes from i on, kLanes of them but for the last.
template <class F>
void for_lanes(std::size_t size, F&& f) {
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) f(i, kLanes);
  if (i < size) f(i, size - i);
}

/// The first n lanes of x, the others 0, whatever they held.
inline Batch keep_lanes(const Batch& x, std::size_t n) {
  alignas(64) static constexpr auto kOnes = [] {
    std::array<float, 2 * kLanes> out{};
    for (std::size_t i = 0; i < kLanes; ++i) out[i] = 1.0F;
    return out;
  }();
  return xsimd::select(load(kOnes.data() + kLanes - n) > Batch(0.0F), x, Batch(0.0F));
}

/// Four floats, on any machine: what blocks are turned in.
using Four = float __attribute__((vector_size(16)));

inline Four load_four(const float* p) {
  Four out;
  __builtin_memcpy(&out, p, sizeof(out));
  return out;
}
inline void store_four(float* p, const Four& x) { __builtin_memcpy(p, &x, sizeof(x)); }

/// out[c, r] = in[r, c] of a 4×4 block; strides are of rows.
inline void transpose_four(const float* in, std::size_t in_row, float* out, std::size_t out_row) {
  const Four a = load_four(in), b = load_four(in + in_row), c = load_four(in + 2 * in_row),
             d = load_four(in + 3 * in_row);
  const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Four ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store_four(out, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
  store_four(out + out_row, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
  store_four(out + 2 * out_row, __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5));
  store_four(out + 3 * out_row, __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7));
}

/// to[0 … n) = from[0 … n).
inline void copy_row(const float* from, float* to, std::size_t n) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(to + i, load(from + i));
  if (i < n) store_partial(to + i, load_partial(from + i, n - i), n - i);
}

/// out[c, r] = in[r, c] for rows × columns of any strides; out has `out_row` floats a row, those past `rows` become 0.
inline void transpose(const float* in, std::size_t in_row, std::size_t in_column, std::size_t rows, std::size_t columns,
                      float* out, std::size_t out_row) {
  std::size_t r = 0;
  if (in_column == 1) {
    for (; r + 4 <= rows; r += 4) {
      std::size_t c = 0;
      for (; c + 4 <= columns; c += 4) transpose_four(in + r * in_row + c, in_row, out + c * out_row + r, out_row);
      for (; c < columns; ++c)
        for (std::size_t i = r; i < r + 4; ++i) out[c * out_row + i] = in[i * in_row + c];
    }
  } else if (in_row == 1) {
    for (std::size_t c = 0; c < columns; ++c) copy_row(in + c * in_column, out + c * out_row, rows);
    r = rows;
  }
  for (std::size_t c = 0; c < columns && r < out_row; ++c) {
    for (std::size_t i = r; i < rows; ++i) out[c * out_row + i] = in[i * in_row + c * in_column];
    for (std::size_t i = rows; i < out_row; ++i) out[c * out_row + i] = 0.0F;
  }
}

}  // namespace attn::kernels
