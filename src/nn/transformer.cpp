#include "nn/transformer.hpp"

#include "ops/functions.hpp"

namespace attn::nn {

PositionWiseFFN::PositionWiseFFN(std::size_t in, std::size_t hidden, std::size_t out, Rng& rng)
    : dense1(in, hidden, true, rng),
      dense2(hidden, out, true, rng) {}

// [anchor: ffn]
Var PositionWiseFFN::operator()(const Var& x) {
  Graph& graph = x.graph();
  const Axes axes = {"batch", "query", "feature"};
  const Var hidden = graph.name(relu(dense1(x)), "hidden", axes);
  return graph.name(dense2(hidden), "output", axes);
}
// [anchor end]

void PositionWiseFFN::visit(const std::string& path, const Visitor& f) {
  dense1.visit(path + ".dense1", f);
  dense2.visit(path + ".dense2", f);
}

namespace {

MultiHeadAttention cross_attention(const BlockStyle& s, Rng& rng) {
  MultiHeadAttention out({s.size, s.heads}, s.dropout, s.rule, rng);
  out.attention.scaled = s.scaled;
  return out;
}

MultiHeadAttention self_attention(const BlockStyle& s, Rng& rng) {
  MultiHeadAttention out = cross_attention(s, rng);
  out.relative = RelativePositions(s.relative, s.reach, s.size / s.heads, s.heads, rng);
  out.relative.scaled = s.scaled;
  return out;
}

AddNorm add_norm(const BlockStyle& s) { return {s.size, s.dropout, s.norm, s.residual}; }

Var in_scope(const char* scope, const Var& x, PositionWiseFFN& ffn) {
  const auto part = x.graph().scope(scope);
  return ffn(x);
}

}  // namespace

EncoderBlock::EncoderBlock(const BlockStyle& s, Rng& rng)
    : attention(self_attention(s, rng)),
      addnorm1(add_norm(s)),
      addnorm2(add_norm(s)),
      ffn(s.size, s.ffn_hidden, s.size, rng) {}

// [anchor: encoder_block]
Var EncoderBlock::operator()(const Var& x, const Var& lengths) {
  const auto attend = [&](const Var& in) {
    const auto scope = x.graph().scope("attention");
    const auto [queries, memory] = attention.project(in, in, in);
    return attention.attend(queries, MultiHeadAttention::named(memory), lengths);
  };
  const Var y = addnorm1(x, attend(addnorm1.before(x, "addnorm1")), "addnorm1");
  return addnorm2(y, in_scope("ffn", addnorm2.before(y, "addnorm2"), ffn), "addnorm2");
}
// [anchor end]

void EncoderBlock::visit(const std::string& path, const Visitor& f) {
  attention.visit(path + ".attention", f);
  addnorm1.visit(path + ".addnorm1", f);
  ffn.visit(path + ".ffn", f);
  addnorm2.visit(path + ".addnorm2", f);
}

DecoderBlock::DecoderBlock(const BlockStyle& s, Rng& rng)
    : attention1(self_attention(s, rng)),
      attention2(cross_attention(s, rng)),
      addnorm1(add_norm(s)),
      addnorm2(add_norm(s)),
      addnorm3(add_norm(s)),
      ffn(s.size, s.ffn_hidden, s.size, rng) {}

DecoderBlock::Cache DecoderBlock::start(const Var& encoded) {
  const auto scope = encoded.graph().scope("cross");
  return {{}, MultiHeadAttention::named(attention2.project(encoded, encoded))};
}

// [anchor: decoder_block]
Var DecoderBlock::operator()(const Var& x, Cache& cache, const Var& visible, const Var& lengths, std::size_t first) {
  const auto attend_self = [&](const Var& in) {
    const auto scope = x.graph().scope("self");
    const auto [queries, memory] = attention1.project(in, in, in);
    cache.self = MultiHeadAttention::append(cache.self, memory);
    return attention1.attend(queries, MultiHeadAttention::named(cache.self), visible, first);
  };
  const auto attend_source = [&](const Var& in) {
    const auto scope = x.graph().scope("cross");
    return attention2(in, cache.cross, lengths);
  };
  const Var y = addnorm1(x, attend_self(addnorm1.before(x, "addnorm1")), "addnorm1");
  const Var z = addnorm2(y, attend_source(addnorm2.before(y, "addnorm2")), "addnorm2");
  return addnorm3(z, in_scope("ffn", addnorm3.before(z, "addnorm3"), ffn), "addnorm3");
}
// [anchor end]

void DecoderBlock::visit(const std::string& path, const Visitor& f) {
  attention1.visit(path + ".attention1", f);
  addnorm1.visit(path + ".addnorm1", f);
  attention2.visit(path + ".attention2", f);
  addnorm2.visit(path + ".addnorm2", f);
  ffn.visit(path + ".ffn", f);
  addnorm3.visit(path + ".addnorm3", f);
}

}  // namespace attn::nn
