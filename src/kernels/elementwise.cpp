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

void relu(const float* x, float* y, std::size_t n) {
  apply(x, y, n, [](const Batch& v) { return xsimd::max(v, Batch(0.0F)); });
}

void exp_backward(const float* y, const float* dy, float* dx, std::size_t n) { multiply(y, dy, dx, n); }

void tanh_backward(const float* y, const float* dy, float* dx, std::size_t n) {
  for_batches(
      n,
      [&](std::size_t i) {
        const Batch v = load(y + i);
        store(dx + i, load(dy + i) * (1.0F - v * v));
      },
      [&](std::size_t i) { dx[i] = dy[i] * (1.0F - y[i] * y[i]); });
}

void sigmoid_backward(const float* y, const float* dy, float* dx, std::size_t n) {
  for_batches(
      n,
      [&](std::size_t i) {
        const Batch v = load(y + i);
        store(dx + i, load(dy + i) * v * (1.0F - v));
      },
      [&](std::size_t i) { dx[i] = dy[i] * y[i] * (1.0F - y[i]); });
}

void relu_backward(const float* y, const float* dy, float* dx, std::size_t n) {
  const Batch zero(0.0F);
  for_batches(
      n, [&](std::size_t i) { store(dx + i, xsimd::select(load(y + i) > zero, load(dy + i), zero)); },
      [&](std::size_t i) { dx[i] = y[i] > 0.0F ? dy[i] : 0.0F; });
}

void multiply(const float* x, const float* y, float* out, std::size_t n) {
  for_batches(
      n, [&](std::size_t i) { store(out + i, load(x + i) * load(y + i)); },
      [&](std::size_t i) { out[i] = x[i] * y[i]; });
}

namespace {

template <class F>
void combine_with(const float* x, std::size_t x_step, const float* y, std::size_t y_step, float* out, std::size_t n,
                  F&& f) {
  if (n == 0) return;
  const float x0 = *x, y0 = *y;  // out may overwrite them
  const auto batch = [](const float* p, std::size_t step, float first, std::size_t i) {
    return step == 0 ? Batch(first) : load(p + i);
  };
  const auto one = [](const float* p, std::size_t step, float first, std::size_t i) {
    return step == 0 ? first : p[i];
  };
  for_batches(
      n, [&](std::size_t i) { store(out + i, f(batch(x, x_step, x0, i), batch(y, y_step, y0, i))); },
      [&](std::size_t i) { out[i] = f(one(x, x_step, x0, i), one(y, y_step, y0, i)); });
}

}  // namespace

void combine(Pairing op, const float* x, std::size_t x_step, const float* y, std::size_t y_step, float* out,
             std::size_t n) {
  if (op == Pairing::add)
    combine_with(x, x_step, y, y_step, out, n, [](const auto& a, const auto& b) { return a + b; });
  if (op == Pairing::subtract)
    combine_with(x, x_step, y, y_step, out, n, [](const auto& a, const auto& b) { return a - b; });
  if (op == Pairing::multiply)
    combine_with(x, x_step, y, y_step, out, n, [](const auto& a, const auto& b) { return a * b; });
}

void combine_reference(Pairing op, const float* x, std::size_t x_step, const float* y, std::size_t y_step, float* out,
                       std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float a = x[i * x_step], b = y[i * y_step];
    out[i] = op == Pairing::add ? a + b : op == Pairing::subtract ? a - b : a * b;
  }
}

}  // namespace attn::kernels
