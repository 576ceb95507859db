#pragma once

#include <cstddef>

namespace attn::kernels {

/// One step of Adam (Kingma and Ba 2015, algorithm 1) on n parameters, in PyTorch's form:
///   m = b1 m + (1-b1) g;  v = b2 v + (1-b2) g²;  w -= rate / (1-b1^t) · m / (sqrt(v / (1-b2^t)) + epsilon)
/// What is derived from b1, b2 and t is computed in double: 1 - 0.999F would be off by 1.3e-5 of itself.
struct AdamStep {
  float rate, beta1, beta2, epsilon;
  float rest1, rest2;              // 1 - b1 and 1 - b2
  float correction1, correction2;  // 1 - b1^t and 1 - b2^t

  AdamStep(float rate, double beta1, double beta2, double epsilon, int t);
};
void adam(const AdamStep& step, const float* gradient, float* m, float* v, float* weights, std::size_t n);
void adam_reference(const AdamStep& step, const float* gradient, float* m, float* v, float* weights, std::size_t n);

}  // namespace attn::kernels
