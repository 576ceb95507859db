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

void relu(const float* x, float* y, std::size_t n);

// Their gradients, told by the function's own value: dx[i] = dy[i] f'(x[i]).
void exp_backward(const float* y, const float* dy, float* dx, std::size_t n);      // y
void tanh_backward(const float* y, const float* dy, float* dx, std::size_t n);     // 1 - y²
void sigmoid_backward(const float* y, const float* dy, float* dx, std::size_t n);  // y (1 - y)
void relu_backward(const float* y, const float* dy, float* dx, std::size_t n);     // 1 where y > 0

void multiply(const float* x, const float* y, float* out, std::size_t n);  // out = x y

/// out[i] = x[i · x_step] op y[i · y_step]; a step of 0 repeats one number, otherwise it is 1. out may be x or y.
enum class Pairing { add, subtract, multiply };
void combine(Pairing op, const float* x, std::size_t x_step, const float* y, std::size_t y_step, float* out,
             std::size_t n);
void combine_reference(Pairing op, const float* x, std::size_t x_step, const float* y, std::size_t y_step, float* out,
                       std::size_t n);

}  // namespace attn::kernels
