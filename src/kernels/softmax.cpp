#include "kernels/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise.hpp"
#include "kernels/reduce.hpp"
#include "kernels/simd.hpp"

namespace attn::kernels {

void softmax_row(const float* x, float* y, std::size_t n, std::size_t valid) {
  std::fill(y + valid, y + n, 0.0F);
  if (valid == 0) return;
  const float largest = max(x, valid);
  for (std::size_t i = 0; i < valid; ++i) y[i] = x[i] - largest;
  exp(y, y, valid);
  scale(1.0F / sum(y, valid), y, valid);
}

void softmax_row_reference(const float* x, float* y, std::size_t n, std::size_t valid) {
  std::fill(y, y + n, 0.0F);
  if (valid == 0) return;
  const float largest = *std::max_element(x, x + valid);
  float total = 0.0F;
  for (std::size_t i = 0; i < valid; ++i) total += y[i] = std::exp(x[i] - largest);
  for (std::size_t i = 0; i < valid; ++i) y[i] /= total;
}

void softmax_row_backward(const float* y, const float* dy, float* dx, std::size_t n) {
  const float mean = dot(y, dy, n);
  for (std::size_t i = 0; i < n; ++i) dx[i] += y[i] * (dy[i] - mean);
}

float log_sum_exp(const float* x, std::size_t n) {
  const float largest = max(x, n);
  const Batch shift(largest);
  Batch total(0.0F);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) total += xsimd::exp(load(x + i) - shift);
  float rest = xsimd::reduce_add(total);
  for (; i < n; ++i) rest += std::exp(x[i] - largest);
  return largest + std::log(rest);
}

}  // namespace attn::kernels
