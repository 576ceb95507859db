#pragma once

#include <cstddef>

namespace attn::kernels {

/// y = (x - mean) / sqrt(variance + epsilon) of one row, with the biased variance; returns 1 / sqrt(variance + epsilon).
/// n > 0; y may be x.
float standardise_row(const float* x, float* y, std::size_t n, float epsilon);
float standardise_row_reference(const float* x, float* y, std::size_t n, float epsilon);

/// Its gradient, from y, dy and the returned scale: dx[i] = scale (dy[i] - mean(dy) - y[i] mean(y dy)); dx may be dy.
void standardise_row_backward(const float* y, const float* dy, float scale, float* dx, std::size_t n);

/// y = γ n + β.
void affine_row(const float* normal, const float* gamma, const float* beta, float* y, std::size_t n);
/// Its gradients: dγ += dy n, dβ += dy, dn = dy γ.
void affine_row_backward(const float* normal, const float* gamma, const float* dy, float* dgamma, float* dbeta,
                         float* dn, std::size_t n);

}  // namespace attn::kernels
