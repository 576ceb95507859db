#pragma once

#include <cstddef>

namespace attn::kernels {

/// One step of Adam (Kingma and Ba 2015, algorithm 1) on n parameters, in PyTorch's form:
///   m = b1 m + (1-b1) g;  v = b2 v + (1-b2) g²;  w -= rate / (1-b1^t) · m / (sqrt(v / (1-b2^t)) + epsilon)
struct AdamStep {
  float rate, beta1, beta2, epsilon;
  float correction1, correction2;  // 1 - b1^t and 1 - b2^t
};
void adam(const AdamStep& step, const float* gradient, float* m, float* v, float* weights, std::size_t n);
void adam_reference(const AdamStep& step, const float* gradient, float* m, float* v, float* weights, std::size_t n);

}  // namespace attn::kernels
