#include "kernels/attention.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/reduce.hpp"
#include "kernels/softmax.hpp"

namespace attn::kernels {
namespace {

float scale_of(const AttentionSizes& s) { return 1.0F / std::sqrt(static_cast<float>(s.size)); }

/// Calls f(example, head, query, row of weights).
template <class F>
void for_rows(const AttentionSizes& s, F&& f) {
  for (std::size_t b = 0; b < s.batch; ++b)
    for (std::size_t h = 0; h < s.heads; ++h)
      for (std::size_t i = 0; i < s.queries; ++i) f(b, h, i, ((b * s.heads + h) * s.queries + i) * s.keys);
}

/// Where a head's part of one time step begins: x [batch, steps, heads · size].
std::size_t at(const AttentionSizes& s, std::size_t b, std::size_t steps, std::size_t t, std::size_t h,
               std::size_t size) {
  return ((b * steps + t) * s.heads + h) * size;
}

void count(const AttentionSizes& s, std::size_t products) {
  std::size_t pairs = 0;
  for (std::size_t row = 0; row < s.batch * s.queries; ++row) pairs += s.weighed(row);
  count_multiply_adds(pairs * s.heads * products);
}

}  // namespace

void attention_reference(const AttentionSizes& s, const float* q, const float* k, const float* v, const float* mask,
                         float* weights, float* out) {
  std::fill_n(out, s.batch * s.queries * s.heads * s.value_size, 0.0F);
  std::vector<float> scores(s.keys);
  for_rows(s, [&](std::size_t b, std::size_t h, std::size_t i, std::size_t row) {
    const std::size_t seen = s.seen(b * s.queries + i), weighed = s.weighed(b * s.queries + i);
    const float* query = q + at(s, b, s.queries, i, h, s.size);
    for (std::size_t j = 0; j < s.keys; ++j) {
      const float* key = k + at(s, b, s.keys, j, h, s.size);
      float sum = 0.0F;
      for (std::size_t p = 0; p < s.size; ++p) sum += query[p] * key[p];
      scores[j] = j < seen ? sum * scale_of(s) : s.hidden_score;
    }
    softmax_row_reference(scores.data(), weights + row, s.keys, weighed);
    float* y = out + at(s, b, s.queries, i, h, s.value_size);
    for (std::size_t j = 0; j < weighed; ++j) {
      const float* value = v + at(s, b, s.keys, j, h, s.value_size);
      const float weight = weights[row + j] * (mask ? mask[row + j] : 1.0F);
      for (std::size_t c = 0; c < s.value_size; ++c) y[c] += weight * value[c];
    }
  });
}

void attention_simd(const AttentionSizes& s, const float* q, const float* k, const float* v, const float* mask,
                    float* weights, float* out) {
  const float scale = scale_of(s);
  std::fill_n(out, s.batch * s.queries * s.heads * s.value_size, 0.0F);
  for_rows(s, [&](std::size_t b, std::size_t h, std::size_t i, std::size_t row) {
    const std::size_t seen = s.seen(b * s.queries + i), weighed = s.weighed(b * s.queries + i);
    const float* query = q + at(s, b, s.queries, i, h, s.size);
    float* w = weights + row;
    for (std::size_t j = 0; j < seen; ++j) w[j] = scale * dot(query, k + at(s, b, s.keys, j, h, s.size), s.size);
    std::fill(w + seen, w + s.keys, s.hidden_score);
    softmax_row(w, w, s.keys, weighed);
    float* y = out + at(s, b, s.queries, i, h, s.value_size);
    for (std::size_t j = 0; j < weighed; ++j)
      add_scaled(mask ? w[j] * mask[row + j] : w[j], v + at(s, b, s.keys, j, h, s.value_size), y, s.value_size);
  });
}

void attention(MatmulPath path, const AttentionSizes& s, const float* q, const float* k, const float* v,
               const float* mask, float* weights, float* out) {
  count(s, s.size + s.value_size);
  (path == MatmulPath::reference ? attention_reference : attention_simd)(s, q, k, v, mask, weights, out);
}

void attention_backward_reference(const AttentionSizes& s, const AttentionGradients& g) {
  std::vector<float> dw(s.keys);
  for_rows(s, [&](std::size_t b, std::size_t h, std::size_t i, std::size_t row) {
    const std::size_t seen = s.seen(b * s.queries + i), weighed = s.weighed(b * s.queries + i);
    const float *w = g.weights + row, *dy = g.dout + at(s, b, s.queries, i, h, s.value_size);
    float mean = 0.0F;
    for (std::size_t j = 0; j < weighed; ++j) {  // out = Σ_j w_j mask_j v_j
      const std::size_t value = at(s, b, s.keys, j, h, s.value_size);
      const float kept = g.mask ? g.mask[row + j] : 1.0F;
      float sum = 0.0F;
      for (std::size_t c = 0; c < s.value_size; ++c) sum += dy[c] * g.v[value + c];
      for (std::size_t c = 0; c < s.value_size; ++c) g.dv[value + c] += w[j] * kept * dy[c];
      dw[j] = sum * kept;
      mean += w[j] * dw[j];
    }
    const std::size_t query = at(s, b, s.queries, i, h, s.size);
    for (std::size_t j = 0; j < seen; ++j) {  // w = softmax(q k / √size); a hidden score has no gradient
      const std::size_t key = at(s, b, s.keys, j, h, s.size);
      const float dscore = w[j] * (dw[j] - mean) * scale_of(s);
      for (std::size_t p = 0; p < s.size; ++p) g.dq[query + p] += dscore * g.k[key + p];
      for (std::size_t p = 0; p < s.size; ++p) g.dk[key + p] += dscore * g.q[query + p];
    }
  });
}

void attention_backward_simd(const AttentionSizes& s, const AttentionGradients& g) {
  const float scale = scale_of(s);
  thread_local std::vector<float> dw;
  dw.resize(s.keys);
  for_rows(s, [&](std::size_t b, std::size_t h, std::size_t i, std::size_t row) {
    const std::size_t seen = s.seen(b * s.queries + i), weighed = s.weighed(b * s.queries + i);
    const float *w = g.weights + row, *dy = g.dout + at(s, b, s.queries, i, h, s.value_size);
    for (std::size_t j = 0; j < weighed; ++j) {
      const std::size_t value = at(s, b, s.keys, j, h, s.value_size);
      const float kept = g.mask ? g.mask[row + j] : 1.0F;
      dw[j] = kept * dot(dy, g.v + value, s.value_size);
      add_scaled(kept * w[j], dy, g.dv + value, s.value_size);
    }
    const float mean = dot(w, dw.data(), weighed);
    const std::size_t query = at(s, b, s.queries, i, h, s.size);
    for (std::size_t j = 0; j < seen; ++j) {
      const std::size_t key = at(s, b, s.keys, j, h, s.size);
      const float dscore = w[j] * (dw[j] - mean) * scale;
      add_scaled(dscore, g.k + key, g.dq + query, s.size);
      add_scaled(dscore, g.q + query, g.dk + key, s.size);
    }
  });
}

void attention_backward(MatmulPath path, const AttentionSizes& s, const AttentionGradients& g) {
  count(s, 2 * (s.size + s.value_size));
  (path == MatmulPath::reference ? attention_backward_reference : attention_backward_simd)(s, g);
}

}  // namespace attn::kernels
