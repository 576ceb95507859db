#include "kernels/attention.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "kernels/elementwise.hpp"
#include "kernels/reduce.hpp"
#include "kernels/softmax.hpp"
#include "kernels/tile.hpp"

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

namespace {

/// One example: its place in each tensor, all heads side by side. Every product is made for all heads at once.
struct Example {
  const AttentionSizes& s;
  std::size_t b;
  std::size_t limit = 0;  // keys that some query of it may weigh

  Example(const AttentionSizes& sizes, std::size_t index) : s(sizes), b(index) {
    for (std::size_t i = 0; i < s.queries; ++i) limit = std::max(limit, s.weighed(b * s.queries + i));
  }
  std::size_t queries_at(std::size_t size) const { return b * s.queries * s.heads * size; }
  std::size_t keys_at(std::size_t size) const { return b * s.keys * s.heads * size; }
  std::size_t weights() const { return s.heads * s.queries * s.keys; }
  std::size_t width() const { return whole_batches(limit) * kLanes; }

  /// [steps, heads · size] times what was turned: [queries, limit] for each head, into rows of `keys`.
  void scores(const float* rows, std::size_t size, const float* turned, float* out) const {
    Product p{};
    p.a = rows, p.a_row = s.heads * size, p.a_column = 1, p.a_batch = size;
    p.b = turned, p.b_row = width(), p.b_batch = size * width(), p.padded = true;
    p.c = out, p.c_row = s.keys, p.c_batch = s.queries * s.keys;
    p.rows = s.queries, p.columns = limit, p.depth = size, p.batch = s.heads;
    multiply(p);
  }
  /// Σ over keys: weights [queries, keys] times x [keys, heads · size] -> [queries, heads · size].
  void gather(const float* w, const float* x, std::size_t size, float* out) const {
    Product p = shared(x, size, out);
    p.a = w, p.a_row = s.keys, p.a_column = 1, p.a_batch = s.queries * s.keys;
    p.rows = s.queries, p.depth = limit;
    multiply(p);
  }
  /// Σ over queries: weightsᵀ times x [queries, heads · size] -> [keys, heads · size]; zero behind the limit.
  void scatter(const float* w, const float* x, std::size_t size, float* out) const {
    Product p = shared(x, size, out);
    p.a = w, p.a_row = 1, p.a_column = s.keys, p.a_batch = s.queries * s.keys;
    p.rows = limit, p.depth = s.queries;
    multiply(p);
    std::fill_n(out + limit * p.c_row, (s.keys - limit) * p.c_row, 0.0F);
  }

 private:
  Product shared(const float* x, std::size_t size, float* out) const {
    Product p{};
    p.b = x, p.b_row = s.heads * size, p.b_batch = size;
    p.c = out, p.c_row = s.heads * size, p.c_batch = size;
    p.columns = size, p.batch = s.heads;
    return p;
  }
};

/// Room for what lives only while one example is worked on, kept from call to call.
struct Room {
  std::vector<float> turned, first, second;

  explicit Room(const AttentionSizes& s)
      : turned(s.heads * std::max(s.size, s.value_size) * whole_batches(s.keys) * kLanes),
        first(s.heads * s.queries * s.keys),
        second(first.size()) {}

  static Room& of(const AttentionSizes& s) {
    thread_local std::optional<Room> room;
    if (!room || !room->fits(s)) room.emplace(s);
    return *room;
  }
  bool fits(const AttentionSizes& s) const {
    return turned.size() >= s.heads * std::max(s.size, s.value_size) * whole_batches(s.keys) * kLanes &&
           first.size() >= s.heads * s.queries * s.keys;
  }
};

/// x [keys, heads · size], the part of each head turned and scaled: [size, width].
const float* turned(const Example& e, const float* x, std::size_t size, float factor, std::vector<float>& out) {
  const std::size_t heads = e.s.heads, floats = size * e.width();
  for (std::size_t h = 0; h < heads; ++h)
    transpose(x + h * size, heads * size, 1, e.limit, size, out.data() + h * floats, e.width());
  if (factor != 1.0F) scale(factor, out.data(), heads * floats);
  return out.data();
}

/// Tiles read rows of whole batches, for which these operands may be too narrow.
bool too_narrow(const AttentionSizes& s) { return s.heads * std::min(s.size, s.value_size) < kLanes; }

}  // namespace

void attention_simd(const AttentionSizes& s, const float* q, const float* k, const float* v, const float* mask,
                    float* weights, float* out) {
  if (too_narrow(s)) return attention_reference(s, q, k, v, mask, weights, out);
  Room& room = Room::of(s);
  for (std::size_t b = 0; b < s.batch; ++b, weights += s.heads * s.queries * s.keys) {
    const Example e(s, b);
    float* y = out + e.queries_at(s.value_size);
    if (e.limit == 0) {
      std::fill_n(weights, e.weights(), 0.0F);
      std::fill_n(y, s.queries * s.heads * s.value_size, 0.0F);
      continue;
    }
    e.scores(q + e.queries_at(s.size), s.size, turned(e, k + e.keys_at(s.size), s.size, scale_of(s), room.turned),
             weights);
    for (std::size_t row = 0; row < s.heads * s.queries; ++row) {
      float* w = weights + row * s.keys;
      const std::size_t at = b * s.queries + row % s.queries;
      if (s.scores_hidden) std::fill(w + s.seen(at), w + s.keys, s.hidden_score);
      softmax_row(w, w, s.keys, s.weighed(at));
    }
    const float* kept = weights;
    if (mask != nullptr) {
      multiply(weights, mask + b * e.weights(), room.first.data(), e.weights());
      kept = room.first.data();
    }
    e.gather(kept, v + e.keys_at(s.value_size), s.value_size, y);
  }
}

void attention(MatmulPath path, const AttentionSizes& s, const float* q, const float* k, const float* v,
               const float* mask, float* weights, float* out) {
  count(s, s.size + s.value_size);
  (path == MatmulPath::reference ? attention_reference : attention_simd)(s, q, k, v, mask, weights, out);
}

void attention_backward_reference(const AttentionSizes& s, const AttentionGradients& g) {
  std::fill_n(g.dq, s.batch * s.queries * s.heads * s.size, 0.0F);
  std::fill_n(g.dk, s.batch * s.keys * s.heads * s.size, 0.0F);
  std::fill_n(g.dv, s.batch * s.keys * s.heads * s.value_size, 0.0F);
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

namespace {

/// d score = w (dw ⊙ mask - Σ w dw mask) / √size for each row; dw, which becomes it, need not be set behind the limit.
void score_gradients(const Example& e, const float* weights, const float* mask, float* dw) {
  const AttentionSizes& s = e.s;
  const float factor = scale_of(s);
  for (std::size_t row = 0; row < s.heads * s.queries; ++row) {
    const std::size_t at = row * s.keys, seen = s.seen(e.b * s.queries + row % s.queries);
    if (mask != nullptr) multiply(dw + at, mask + at, dw + at, e.limit);
    const float mean = dot(weights + at, dw + at, e.limit);
    softmax_gradient(weights + at, dw + at, mean, factor, dw + at, seen);
    std::fill(dw + at + seen, dw + at + s.keys, 0.0F);
  }
}

void zero_gradients(const Example& e, const AttentionGradients& g) {
  const AttentionSizes& s = e.s;
  std::fill_n(g.dq + e.queries_at(s.size), s.queries * s.heads * s.size, 0.0F);
  std::fill_n(g.dk + e.keys_at(s.size), s.keys * s.heads * s.size, 0.0F);
  std::fill_n(g.dv + e.keys_at(s.value_size), s.keys * s.heads * s.value_size, 0.0F);
}

}  // namespace

void attention_backward_simd(const AttentionSizes& s, const AttentionGradients& g) {
  if (too_narrow(s)) return attention_backward_reference(s, g);
  Room& room = Room::of(s);
  for (std::size_t b = 0; b < s.batch; ++b) {
    const Example e(s, b);
    if (e.limit == 0) {
      zero_gradients(e, g);
      continue;
    }
    const std::size_t query = e.queries_at(s.size), key = e.keys_at(s.size), value = e.keys_at(s.value_size);
    const float *weights = g.weights + b * e.weights(), *dy = g.dout + e.queries_at(s.value_size);
    const float* mask = g.mask == nullptr ? nullptr : g.mask + b * e.weights();
    float *kept = room.first.data(), *dw = room.second.data();
    if (mask != nullptr) multiply(weights, mask, kept, e.weights());
    e.scatter(mask != nullptr ? kept : weights, dy, s.value_size, g.dv + value);
    e.scores(dy, s.value_size, turned(e, g.v + value, s.value_size, 1.0F, room.turned), dw);
    score_gradients(e, weights, mask, dw);
    e.gather(dw, g.k + key, s.size, g.dq + query);
    e.scatter(dw, g.q + query, s.size, g.dk + key);
  }
}

void attention_backward(MatmulPath path, const AttentionSizes& s, const AttentionGradients& g) {
  count(s, 2 * (s.size + s.value_size));
  (path == MatmulPath::reference ? attention_backward_reference : attention_backward_simd)(s, g);
}

}  // namespace attn::kernels
