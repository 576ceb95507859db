#include "nn/multi_head.hpp"

#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/attention.hpp"
#include "ops/layout.hpp"
#include "tensor/refusal.hpp"

namespace attn::nn {

// [anchor: split_heads]
Var split_heads(const Var& x, std::size_t heads) {
  const std::size_t batch = x.size(0), time = x.size(1), features = x.size(2);
  return transpose(reshape(x, {batch, time, heads, features / heads}), {0, 2, 1, 3});
}

Var merge_heads(const Var& x) {
  const std::size_t batch = x.size(0), heads = x.size(1), time = x.size(2), size = x.size(3);
  return reshape(transpose(x, {0, 2, 1, 3}), {batch, time, heads * size});
}
// [anchor end]

MultiHeadAttention::MultiHeadAttention(const MultiHeadSizes& s, float dropout, MaskRule rule, Rng& rng)
    : heads(s.heads),
      attention{dropout, rule} {
  if (s.heads == 0 || s.hidden % s.heads != 0)
    throw refused<ConfigError>("heads.divide",
                               "hidden_size {hidden} cannot be shared out among {heads} heads: each head gets "
                               "hidden_size / heads features",
                               {{"hidden", std::to_string(s.hidden)}, {"heads", std::to_string(s.heads)}});
  W_q = Linear(s.query, s.hidden, s.bias, rng);
  W_k = Linear(s.key, s.hidden, s.bias, rng);
  W_v = Linear(s.value, s.hidden, s.bias, rng);
  W_o = Linear(s.hidden, s.hidden, s.bias, rng);
}

KeyValues MultiHeadAttention::project(const Var& keys, const Var& values) {
  const Vars out = at_once({{W_k, keys}, {W_v, values}});
  return split(out[0], out[1]);
}

MultiHeadAttention::Projected MultiHeadAttention::project(const Var& queries, const Var& keys, const Var& values) {
  const Vars out = at_once({{W_k, keys}, {W_v, values}, {W_q, queries}});
  return {out[2], split(out[0], out[1])};
}

KeyValues MultiHeadAttention::split(const Var& keys, const Var& values) const {
  if (!composed(keys.graph())) return {keys, values};
  return {split_heads(keys, heads), split_heads(values, heads)};
}

KeyValues MultiHeadAttention::append(const KeyValues& kept, const KeyValues& now) {
  if (!kept.keys) return now;
  return {concat({kept.keys, now.keys}, -2), concat({kept.values, now.values}, -2)};
}

KeyValues MultiHeadAttention::named(const KeyValues& memory) {
  Graph& graph = memory.keys.graph();
  if (!graph.naming()) return memory;
  const Axes axes = {"batch", "head", "key", "feature"};
  return {graph.name(memory.keys, "keys", axes), graph.name(memory.values, "values", axes)};
}

// [anchor: multi_head_attention]
Var MultiHeadAttention::operator()(const Var& queries, const KeyValues& memory, const Var& lengths, std::size_t first) {
  return attend(W_q(queries), memory, lengths, first);
}

Var MultiHeadAttention::attend(const Var& projected, const KeyValues& memory, const Var& lengths, std::size_t first) {
  const Var output = W_o(context(projected, memory, lengths, first));
  return projected.graph().name(output, "output", {"batch", "query", "feature"});
}

Var MultiHeadAttention::context(const Var& projected, const KeyValues& memory, const Var& lengths, std::size_t first) {
  Graph& graph = projected.graph();
  if (!composed(graph))
    return attn::attention(unscaled(projected), memory.keys, memory.values, heads, lengths, attention.rule,
                           attention.dropout);
  const Var queries = graph.name(split_heads(projected, heads), "queries", {"batch", "head", "query", "feature"});
  Var extra;
  if (relative.kind != RelativeKind::none) extra = relative.scores(queries, first, memory.keys.size(2));
  const Var found = attention(queries, memory.keys, memory.values, lengths, extra);
  return merge_heads(has_switches() ? switched(found) : found);
}
// [anchor end]

/// The fused form divides by √d, whatever is asked for: then queries are that much larger.
Var MultiHeadAttention::unscaled(const Var& projected) const {
  if (attention.scaled) return projected;
  return scale(projected, std::sqrt(static_cast<float>(projected.size(2) / heads)), "√d");
}

Var MultiHeadAttention::switched(const Var& found) const {
  Graph& graph = found.graph();
  Tensor on = Tensor::full({heads, 1, 1}, 1.0F);
  for (const std::size_t head : off) on.data()[head] = 0.0F;
  const Var switches = graph.input("switches", {"head", "query", "feature"}, on, true);
  return graph.name(found * switches, "kept", {"batch", "head", "query", "feature"});
}

// [anchor: multi_head_loop]
Var MultiHeadAttention::looped(const Var& queries, const Var& keys, const Var& values, const Var& lengths) {
  Graph& graph = queries.graph();
  const Vars projected = at_once({{W_q, queries}, {W_k, keys}, {W_v, values}});
  const Var &q = projected[0], &k = projected[1], &v = projected[2];
  const std::size_t size = q.size(2) / heads;
  Vars found;
  for (std::size_t head = 0; head < heads; ++head) {
    const auto scope = graph.scope(std::to_string(head));
    const auto share = [&](const Var& x) { return slice(x, 2, head * size, size); };
    found.push_back(attention(share(q), share(k), share(v), lengths));
  }
  return graph.name(W_o(concat(found, 2)), "output", {"batch", "query", "feature"});
}
// [anchor end]

void MultiHeadAttention::visit(const std::string& path, const Visitor& f) {
  W_q.visit(path + ".W_q", f);
  W_k.visit(path + ".W_k", f);
  W_v.visit(path + ".W_v", f);
  W_o.visit(path + ".W_o", f);
  relative.visit(path + ".relative", f);
}

}  // namespace attn::nn
