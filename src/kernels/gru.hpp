#pragma once

#include <cstddef>

namespace attn::kernels {

/// The gates of a GRU step for `rows` examples of `hidden` units, PyTorch's equations and gate order (r, z, n):
///   r = sigmoid(gi_r + gh_r);  z = sigmoid(gi_z + gh_z);  n = tanh(gi_n + r gh_n);  h' = (1-z) n + z h
/// gi = W_i x + b_i and gh = W_h h + b_h are [rows, 3 hidden]; h, h' [rows, hidden].
/// gates [rows, 3 hidden] keeps r, z, n for the backward pass.
void gru_gates(const float* gi, const float* gh, const float* h, float* gates, float* out, std::size_t rows,
               std::size_t hidden);
void gru_gates_reference(const float* gi, const float* gh, const float* h, float* gates, float* out, std::size_t rows,
                         std::size_t hidden);

/// From dh' to dgi, dgh (written) and dh (added to): each line inverts one of the above.
void gru_gates_backward(const float* gh, const float* h, const float* gates, const float* dout, float* dgi, float* dgh,
                        float* dh, std::size_t rows, std::size_t hidden);

}  // namespace attn::kernels
