#include "kernels/reduce.hpp"

#include <algorithm>

#include "kernels/simd.hpp"

namespace attn::kernels {

float sum(const float* x, std::size_t n) {
  Batch total(0.0F);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) total += load(x + i);
  float out = xsimd::reduce_add(total);
  for (; i < n; ++i) out += x[i];
  return out;
}

float max(const float* x, std::size_t n) {
  if (n < kLanes) return *std::max_element(x, x + n);
  Batch largest = load(x);
  for (std::size_t i = kLanes; i + kLanes <= n; i += kLanes) largest = xsimd::max(largest, load(x + i));
  return xsimd::reduce_max(xsimd::max(largest, load(x + n - kLanes)));  // the last batch may overlap
}

float dot(const float* x, const float* y, std::size_t n) {
  Batch total(0.0F);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) total = fma(load(x + i), load(y + i), total);
  float out = xsimd::reduce_add(total);
  for (; i < n; ++i) out += x[i] * y[i];
  return out;
}

double sum_of_squares(const float* x, std::size_t n) {
  double out = 0.0;
  for (std::size_t i = 0; i < n; ++i) out += static_cast<double>(x[i]) * x[i];
  return out;
}

void scale(float factor, float* x, std::size_t n) {
  const Batch f(factor);
  for_batches(
      n, [&](std::size_t i) { store(x + i, load(x + i) * f); }, [&](std::size_t i) { x[i] *= factor; });
}

void add_to(const float* x, float* y, std::size_t n) {
  for_batches(
      n, [&](std::size_t i) { store(y + i, load(y + i) + load(x + i)); }, [&](std::size_t i) { y[i] += x[i]; });
}

void add_scaled(float factor, const float* x, float* y, std::size_t n) {
  const Batch f(factor);
  for_batches(
      n, [&](std::size_t i) { store(y + i, fma(f, load(x + i), load(y + i))); },
      [&](std::size_t i) { y[i] += factor * x[i]; });
}

}  // namespace attn::kernels
