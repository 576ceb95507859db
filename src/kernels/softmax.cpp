#include "kernels/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise.hpp"
#include "kernels/reduce.hpp"
#include "kernels/simd.hpp"

namespace attn::kernels {

namespace {

/// y = exp(x - shift), and their sum.
float shifted_exp(const float* x, float shift, float* y, std::size_t n) {
  const Batch largest(shift);
  Batch total(0.0F);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Batch power = xsimd::exp(load(x + i) - largest);
    store(y + i, power);
    total += power;
  }
  if (i < n) {
    const Batch power = keep_lanes(xsimd::exp(load_partial(x + i, n - i) - largest), n - i);
    store_partial(y + i, power, n - i);
    total += power;
  }
  return xsimd::reduce_add(total);
}

}  // namespace

void softmax_row(const float* x, float* y, std::size_t n, std::size_t valid) {
  if (valid > 0) {
    const float total = shifted_exp(x, max(x, valid), y, valid);
    scale(1.0F / total, y, valid);
  }
  std::fill(y + valid, y + n, 0.0F);
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
  const Batch shift(mean);
  for_batches(
      n, [&](std::size_t i) { store(dx + i, fma(load(y + i), load(dy + i) - shift, load(dx + i))); },
      [&](std::size_t i) { dx[i] += y[i] * (dy[i] - mean); });
}

void softmax_gradient(const float* y, const float* dy, float mean, float factor, float* dx, std::size_t n) {
  const Batch shift(mean), by(factor);
  for_batches(
      n, [&](std::size_t i) { store(dx + i, by * load(y + i) * (load(dy + i) - shift)); },
      [&](std::size_t i) { dx[i] = factor * y[i] * (dy[i] - mean); });
}

float log_sum_exp(const float* x, std::size_t n) {
  const float largest = max(x, n);
  const Batch shift(largest);
  Batch total(0.0F);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) total += xsimd::exp(load(x + i) - shift);
  if (i < n) total += keep_lanes(xsimd::exp(load_partial(x + i, n - i) - shift), n - i);
  return largest + std::log(xsimd::reduce_add(total));
}

}  // namespace attn::kernels
