#pragma once

#include <cstddef>

namespace attn::kernels {

// y[i] = f(x[i]) for i in [0, n); y may be x. Each stands beside its plain C++ reference, within 3e-7 relative.
void exp(const float* x, float* y, std::size_t n);
void exp_reference(const float* x, float* y, std::size_t n);
void tanh(const float* x, float* y, std::size_t n);
void tanh_reference(const float* x, float* y, std::size_t n);
void sigmoid(const float* x, float* y, std::size_t n);
void sigmoid_reference(const float* x, float* y, std::size_t n);

}  // namespace attn::kernels
