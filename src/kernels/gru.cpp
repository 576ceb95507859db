#include "kernels/gru.hpp"

#include <cmath>

#include "kernels/simd.hpp"

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

namespace {

Batch sigmoid_of(const Batch& x) { return 1.0F / (1.0F + xsimd::exp(-x)); }

}  // namespace

void gru_gates(const float* gi, const float* gh, const float* h, float* gates, float* out, std::size_t rows,
               std::size_t hidden) {
  for (std::size_t row = 0; row < rows; ++row) {
    for_lanes(hidden, [&](std::size_t i, std::size_t n) {
      const auto part = [&](const float* p, std::size_t gate) { return load_some(p + gate * hidden + i, n); };
      const Batch r = sigmoid_of(part(gi, 0) + part(gh, 0)), z = sigmoid_of(part(gi, 1) + part(gh, 1));
      const Batch candidate = xsimd::tanh(fma(r, part(gh, 2), part(gi, 2)));
      store_some(gates + i, r, n);
      store_some(gates + hidden + i, z, n);
      store_some(gates + 2 * hidden + i, candidate, n);
      store_some(out + i, fma(z, part(h, 0), (1.0F - z) * candidate), n);
    });
    gi += 3 * hidden, gh += 3 * hidden, gates += 3 * hidden, h += hidden, out += hidden;
  }
}

void gru_gates_backward(const float* gh, const float* h, const float* gates, const float* dout, float* dgi, float* dgh,
                        float* dh, std::size_t rows, std::size_t hidden) {
  for (std::size_t row = 0; row < rows; ++row) {
    for_lanes(hidden, [&](std::size_t i, std::size_t count) {
      const auto part = [&](const float* p, std::size_t gate) { return load_some(p + gate * hidden + i, count); };
      const auto both = [&](std::size_t gate, const Batch& x, const Batch& y) {
        store_some(dgi + gate * hidden + i, x, count);
        store_some(dgh + gate * hidden + i, y, count);
      };
      const Batch r = part(gates, 0), z = part(gates, 1), n = part(gates, 2), dy = part(dout, 0);
      const Batch dz = dy * (part(h, 0) - n);  // h' = (1-z) n + z h
      const Batch dn = dy * (1.0F - z);
      store_some(dh + i, fma(dy, z, part(dh, 0)), count);
      const Batch dn_in = dn * (1.0F - n * n);  // n = tanh(gi_n + r gh_n)
      const Batch dr_in = dn_in * part(gh, 2) * r * (1.0F - r), dz_in = dz * z * (1.0F - z);
      both(0, dr_in, dr_in);  // r = sigmoid(gi_r + gh_r)
      both(1, dz_in, dz_in);  // z = sigmoid(gi_z + gh_z)
      both(2, dn_in, dn_in * r);
    });
    gh += 3 * hidden, gates += 3 * hidden, dgi += 3 * hidden, dgh += 3 * hidden;
    h += hidden, dh += hidden, dout += hidden;
  }
}

}  // namespace attn::kernels
