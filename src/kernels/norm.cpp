#include "kernels/norm.hpp"

#include <cmath>

#include "kernels/reduce.hpp"
#include "kernels/simd.hpp"

namespace attn::kernels {

float standardise_row_reference(const float* x, float* y, std::size_t n, float epsilon) {
  float mean = 0.0F, variance = 0.0F;
  for (std::size_t i = 0; i < n; ++i) mean += x[i] / static_cast<float>(n);
  for (std::size_t i = 0; i < n; ++i) variance += (x[i] - mean) * (x[i] - mean) / static_cast<float>(n);
  const float scale = 1.0F / std::sqrt(variance + epsilon);
  for (std::size_t i = 0; i < n; ++i) y[i] = (x[i] - mean) * scale;
  return scale;
}

float standardise_row(const float* x, float* y, std::size_t n, float epsilon) {
  const float mean = sum(x, n) / static_cast<float>(n);
  const Batch shift(mean);
  for_batches(
      n, [&](std::size_t i) { store(y + i, load(x + i) - shift); }, [&](std::size_t i) { y[i] = x[i] - mean; });
  const float deviation = std::sqrt(dot(y, y, n) / static_cast<float>(n) + epsilon);
  kernels::scale(1.0F / deviation, y, n);
  return 1.0F / deviation;
}

void standardise_row_backward(const float* y, const float* dy, float scale, float* dx, std::size_t n) {
  const float count = static_cast<float>(n), mean = sum(dy, n) / count, along = dot(y, dy, n) / count;
  const Batch factor(scale), shift(mean), slope(along);
  for_batches(
      n, [&](std::size_t i) { store(dx + i, factor * (load(dy + i) - shift - load(y + i) * slope)); },
      [&](std::size_t i) { dx[i] = scale * (dy[i] - mean - y[i] * along); });
}

void affine_row(const float* normal, const float* gamma, const float* beta, float* y, std::size_t n) {
  for_batches(
      n, [&](std::size_t i) { store(y + i, fma(load(gamma + i), load(normal + i), load(beta + i))); },
      [&](std::size_t i) { y[i] = gamma[i] * normal[i] + beta[i]; });
}

void affine_row_backward(const float* normal, const float* gamma, const float* dy, float* dgamma, float* dbeta,
                         float* dn, std::size_t n) {
  for_batches(
      n,
      [&](std::size_t i) {
        const Batch d = load(dy + i);
        store(dgamma + i, fma(d, load(normal + i), load(dgamma + i)));
        store(dbeta + i, load(dbeta + i) + d);
        store(dn + i, d * load(gamma + i));
      },
      [&](std::size_t i) {
        dgamma[i] += dy[i] * normal[i];
        dbeta[i] += dy[i];
        dn[i] = dy[i] * gamma[i];
      });
}

}  // namespace attn::kernels
