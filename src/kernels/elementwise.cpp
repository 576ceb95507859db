#include "kernels/elementwise.hpp"

#include <cmath>

#include "kernels/simd.hpp"

namespace attn::kernels {
namespace {

// A tail is computed as a part of a batch: an element's value then never depends on where in the array it stands.
template <class F>
void apply(const float* x, float* y, std::size_t n, F&& f) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, f(load(x + i)));
  if (i < n) store_partial(y + i, f(load_partial(x + i, n - i)), n - i);
}

}  // namespace

void exp(const float* x, float* y, std::size_t n) {
  apply(x, y, n, [](const Batch& v) { return xsimd::exp(v); });
}
void exp_reference(const float* x, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::exp(x[i]);
}

void tanh(const float* x, float* y, std::size_t n) {
  apply(x, y, n, [](const Batch& v) { return xsimd::tanh(v); });
}
void tanh_reference(const float* x, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::tanh(x[i]);
}

void sigmoid(const float* x, float* y, std::size_t n) {
  apply(x, y, n, [](const Batch& v) { return 1.0F / (1.0F + xsimd::exp(-v)); });
}
void sigmoid_reference(const float* x, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = 1.0F / (1.0F + std::exp(-x[i]));
}

}  // namespace attn::kernels
