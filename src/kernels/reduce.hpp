#pragma once

#include <cstddef>

namespace attn::kernels {

// Reductions add lane by lane, then across: the order is fixed, so the result is the same on every run.
float sum(const float* x, std::size_t n);
float max(const float* x, std::size_t n);  // n > 0
float dot(const float* x, const float* y, std::size_t n);
/// sum_i x[i]^2 in double: the norm of all gradients must not lose small ones.
double sum_of_squares(const float* x, std::size_t n);

void scale(float factor, float* x, std::size_t n);                       // x *= factor
void add_to(const float* x, float* y, std::size_t n);                    // y += x
void add_scaled(float factor, const float* x, float* y, std::size_t n);  // y += factor x

}  // namespace attn::kernels
