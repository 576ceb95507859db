#include "nn/attention.hpp"

#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/dropout.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"

namespace attn::nn {

AdditiveAttention::AdditiveAttention(std::size_t key_size, std::size_t query_size, std::size_t hidden, float p,
                                     Rng& rng)
    : W_q(query_size, hidden, false, rng),
      W_k(key_size, hidden, false, rng),
      w_v(hidden, 1, false, rng),
      dropout(p) {}

Var AdditiveAttention::project_keys(const Var& keys) {
  return keys.graph().name(W_k(keys), "keys_projected", {"batch", "key", "feature"});
}

// [anchor: additive_attention]
Var AdditiveAttention::operator()(const Var& queries, const Var& projected_keys, const Var& values,
                                  const Var& lengths) {
  Graph& graph = queries.graph();
  const Var projected = graph.name(W_q(queries), "query_projected", {"batch", "query", "feature"});
  const std::size_t batch = projected.size(0), n = projected.size(1), m = projected_keys.size(1),
                    hidden = projected.size(2);
  const Var sums = reshape(projected, {batch, n, 1, hidden}) + reshape(projected_keys, {batch, 1, m, hidden});
  const Var features = graph.name(tanh(sums), "features", {"batch", "query", "key", "feature"});
  const Var scores = graph.name(reshape(w_v(features), {batch, n, m}), "scores", {"batch", "query", "key"});
  const Var weights = graph.name(masked_softmax(scores, lengths, rule), "weights", {"batch", "query", "key"});
  return graph.name(matmul(attn::dropout(weights, dropout), values), "context", {"batch", "query", "hidden"});
}
// [anchor end]

void AdditiveAttention::visit(const std::string& path, const Visitor& f) {
  W_q.visit(path + ".W_q", f);
  W_k.visit(path + ".W_k", f);
  w_v.visit(path + ".w_v", f);
}

Var scaled_dot_product(const Var& queries, const Var& keys) {
  const float size = static_cast<float>(queries.shape().back());
  return scale(matmul_transposed(queries, keys), 1.0F / std::sqrt(size), "1/√d");
}

// [anchor: dot_product_attention]
Var DotProductAttention::operator()(const Var& queries, const Var& keys, const Var& values, const Var& lengths,
                                    const Var& extra) const {
  Graph& graph = queries.graph();
  Axes axes = {"batch", "query", "key"};
  if (queries.shape().rank() == 4) axes.insert(axes.begin() + 1, "head");
  const Var products = scaled ? scaled_dot_product(queries, keys) : matmul_transposed(queries, keys);
  const Var scores = graph.name(extra ? products + extra : products, "scores", axes);
  const Var weights = graph.name(masked_softmax(scores, lengths, rule), "weights", axes);
  axes.back() = "feature";
  return graph.name(matmul(attn::dropout(weights, dropout), values), "context", axes);
}
// [anchor end]

}  // namespace attn::nn
