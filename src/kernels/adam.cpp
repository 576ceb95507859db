#include "kernels/adam.hpp"

#include <cmath>

#include "kernels/simd.hpp"

namespace attn::kernels {

AdamStep::AdamStep(float rate, double beta1, double beta2, double epsilon, int t)
    : rate(rate),
      beta1(static_cast<float>(beta1)),
      beta2(static_cast<float>(beta2)),
      epsilon(static_cast<float>(epsilon)),
      rest1(static_cast<float>(1.0 - beta1)),
      rest2(static_cast<float>(1.0 - beta2)),
      correction1(static_cast<float>(1.0 - std::pow(beta1, t))),
      correction2(static_cast<float>(1.0 - std::pow(beta2, t))) {}

void adam_reference(const AdamStep& s, const float* g, float* m, float* v, float* w, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = s.beta1 * m[i] + s.rest1 * g[i];
    v[i] = s.beta2 * v[i] + s.rest2 * g[i] * g[i];
    w[i] -= s.rate / s.correction1 * m[i] / (std::sqrt(v[i] / s.correction2) + s.epsilon);
  }
}

void adam(const AdamStep& s, const float* g, float* m, float* v, float* w, std::size_t n) {
  const Batch b1(s.beta1), b2(s.beta2), c1(s.rest1), c2(s.rest2);
  const Batch rate(s.rate / s.correction1), root(1.0F / s.correction2), epsilon(s.epsilon);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Batch gradient = load(g + i);
    const Batch first = fma(b1, load(m + i), c1 * gradient);
    const Batch second = fma(b2, load(v + i), c2 * gradient * gradient);
    store(m + i, first);
    store(v + i, second);
    store(w + i, load(w + i) - rate * first / (xsimd::sqrt(second * root) + epsilon));
  }
  adam_reference(s, g + i, m + i, v + i, w + i, n - i);
}

}  // namespace attn::kernels
