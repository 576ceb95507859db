#pragma once

#include <cstddef>

namespace attn::kernels {

/// Softmax of one row over its first `valid` entries; the others become exactly 0. The largest score is subtracted
/// first, so no score overflows. valid = 0 gives zeros: a row without keys has no weights (fault B3 done right).
void softmax_row(const float* x, float* y, std::size_t n, std::size_t valid);
void softmax_row_reference(const float* x, float* y, std::size_t n, std::size_t valid);

/// Its gradient: dx[i] += y[i] (dy[i] - sum_j y[j] dy[j]). Entries with y = 0 get nothing.
void softmax_row_backward(const float* y, const float* dy, float* dx, std::size_t n);

/// The same, written: dx[i] = factor y[i] (dy[i] - mean), with mean = sum_j y[j] dy[j]; dx may be dy.
void softmax_gradient(const float* y, const float* dy, float mean, float factor, float* dx, std::size_t n);

/// log(sum_i exp(x[i])), with the largest subtracted first.
float log_sum_exp(const float* x, std::size_t n);

}  // namespace attn::kernels
