#include "kernels/adam.hpp"

#include <cmath>

#include "kernels/simd.hpp"

namespace attn::kernels {

void adam_reference(const AdamStep& s, const float* g, float* m, float* v, float* w, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = s.beta1 * m[i] + (1.0F - s.beta1) * g[i];
    v[i] = s.beta2 * v[i] + (1.0F - s.beta2) * g[i] * g[i];
    w[i] -= s.rate / s.correction1 * m[i] / (std::sqrt(v[i] / s.correction2) + s.epsilon);
  }
}

void adam(const AdamStep& s, const float* g, float* m, float* v, float* w, std::size_t n) {
  const Batch b1(s.beta1), b2(s.beta2), c1(1.0F - s.beta1), c2(1.0F - s.beta2);
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
