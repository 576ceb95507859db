#include "kernels/gru.hpp"

#include <cmath>

#include "kernels/elementwise.hpp"

namespace attn::kernels {

void gru_gates_reference(const float* gi, const float* gh, const float* h, float* gates, float* out, std::size_t rows,
                         std::size_t hidden) {
  const auto sigmoid = [](float x) { return 1.0F / (1.0F + std::exp(-x)); };
  for (std::size_t row = 0; row < rows;
       ++row, gi += 3 * hidden, gh += 3 * hidden, gates += 3 * hidden, h += hidden, out += hidden)
    for (std::size_t i = 0; i < hidden; ++i) {
      const float r = gates[i] = sigmoid(gi[i] + gh[i]);
      const float z = gates[hidden + i] = sigmoid(gi[hidden + i] + gh[hidden + i]);
      const float n = gates[2 * hidden + i] = std::tanh(gi[2 * hidden + i] + r * gh[2 * hidden + i]);
      out[i] = (1.0F - z) * n + z * h[i];
    }
}

void gru_gates(const float* gi, const float* gh, const float* h, float* gates, float* out, std::size_t rows,
               std::size_t hidden) {
  for (std::size_t row = 0; row < rows;
       ++row, gi += 3 * hidden, gh += 3 * hidden, gates += 3 * hidden, h += hidden, out += hidden) {
    for (std::size_t i = 0; i < 2 * hidden; ++i) gates[i] = gi[i] + gh[i];
    sigmoid(gates, gates, 2 * hidden);
    float* n = gates + 2 * hidden;
    for (std::size_t i = 0; i < hidden; ++i) n[i] = gi[2 * hidden + i] + gates[i] * gh[2 * hidden + i];
    tanh(n, n, hidden);
    const float* z = gates + hidden;
    for (std::size_t i = 0; i < hidden; ++i) out[i] = (1.0F - z[i]) * n[i] + z[i] * h[i];
  }
}

void gru_gates_backward(const float* gh, const float* h, const float* gates, const float* dout, float* dgi, float* dgh,
                        float* dh, std::size_t rows, std::size_t hidden) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float *r = gates, *z = gates + hidden, *n = gates + 2 * hidden;
    for (std::size_t i = 0; i < hidden; ++i) {
      const float dz = dout[i] * (h[i] - n[i]);  // h' = (1-z) n + z h
      const float dn = dout[i] * (1.0F - z[i]);
      dh[i] += dout[i] * z[i];
      const float dn_in = dn * (1.0F - n[i] * n[i]);  // n = tanh(gi_n + r gh_n)
      const float dr = dn_in * gh[2 * hidden + i];
      const float dz_in = dz * z[i] * (1.0F - z[i]);  // z = sigmoid(gi_z + gh_z)
      const float dr_in = dr * r[i] * (1.0F - r[i]);  // r = sigmoid(gi_r + gh_r)
      dgi[i] = dgh[i] = dr_in;
      dgi[hidden + i] = dgh[hidden + i] = dz_in;
      dgi[2 * hidden + i] = dn_in;
      dgh[2 * hidden + i] = dn_in * r[i];
    }
    gh += 3 * hidden, gates += 3 * hidden, dgi += 3 * hidden, dgh += 3 * hidden;
    h += hidden, dh += hidden, dout += hidden;
  }
}

}  // namespace attn::kernels
