#include "models/transformer.hpp"

#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/layout.hpp"

namespace attn::models {
namespace {

std::size_t width(const NetSizes& sizes, const TransformerStyle& style) {
  return style.joined ? 2 * sizes.hidden : sizes.hidden;
}

nn::BlockStyle block_style(const NetSizes& sizes, const TransformerStyle& style, const BookFaults& book) {
  return {.size = width(sizes, style),
          .ffn_hidden = style.ffn,
          .heads = style.heads,
          .dropout = sizes.dropout,
          .norm = style.norm,
          .residual = style.residual,
          .rule = book.mask ? MaskRule::book : MaskRule::correct,
          .relative = style.relative,
          .reach = style.reach,
          .scaled = style.scaled_scores};
}

template <class Block>
std::vector<Block> blocks(const nn::BlockStyle& style, std::size_t count, Rng& rng) {
  std::vector<Block> out;
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(style, rng);
  return out;
}

}  // namespace

TransformerInput::TransformerInput(std::size_t words, std::size_t hidden, const TransformerStyle& style, float dropout,
                                   Rng& rng)
    : embedding(words, hidden, rng),
      position(style.positions, style.joined, style.longest, hidden, dropout, rng),
      factor(style.scaled ? std::sqrt(static_cast<float>(hidden)) : 1.0F) {
  if (!style.small_embedding) return;
  for (float& w : embedding.weight.value.mutable_values()) w /= std::sqrt(static_cast<float>(hidden));
}

// [anchor: transformer_input]
Var TransformerInput::operator()(const Var& ids, std::size_t first) {
  Graph& graph = ids.graph();
  const Axes axes = {"batch", "query", "feature"};
  const Var embedded = graph.name(embedding(ids), "embedding", axes);
  const Var scaled = factor == 1.0F ? embedded : graph.name(scale(embedded, factor, "√hidden"), "scaled", axes);
  return graph.name(position(scaled, first), "input", axes);
}
// [anchor end]

void TransformerInput::visit(const std::string& path, const nn::Visitor& f) {
  embedding.visit(path + ".embedding", f);
  position.visit(path + ".pos_encoding", f);
}

Transformer::Transformer(const NetSizes& s, const TransformerStyle& style, const BookFaults& book, Rng& rng)
    : causal_(style.causal),
      sees_ahead_(book.causal),
      stays_at_zero_(book.position),
      source_(s.source_words, s.hidden, style, s.dropout, rng),
      target_(s.target_words, s.hidden, style, s.dropout, rng),
      encoder_(blocks<nn::EncoderBlock>(block_style(s, style, book), s.layers, rng)),
      decoder_(blocks<nn::DecoderBlock>(block_style(s, style, book), s.layers, rng)),
      encoder_end_(width(s, style), 0.0F, style.norm, false),
      decoder_end_(width(s, style), 0.0F, style.norm, false),
      dense_(width(s, style), s.target_words, true, rng) {}

// [anchor: transformer_encoder]
Encoded Transformer::encode(const Var& ids, const Var& lengths) {
  Graph& graph = ids.graph();
  const auto scope = graph.scope("encoder");
  Var x = source_(ids, 0);
  for (std::size_t i = 0; i < encoder_.size(); ++i) {
    const auto block = graph.scope(std::to_string(i));
    x = encoder_[i](x, lengths);
  }
  return {encoder_end_.before(x, "end"), {}, lengths};
}
// [anchor end]

Decoding Transformer::start(const Encoded& encoded) {
  Graph& graph = encoded.outputs.graph();
  const auto scope = graph.scope("decoder");
  Decoding state;
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const auto block = graph.scope(std::to_string(i));
    state.blocks.push_back(decoder_[i].start(encoded.outputs));
  }
  state.lengths = encoded.lengths;
  return state;
}

/// How many words each word may see: those up to itself; or no limit.
Var Transformer::visible_words(Graph& graph, std::size_t batch, std::size_t count, std::size_t first) const {
  if (count == 1 || !causal_ || (sees_ahead_ && !graph.options().training)) return {};
  Tensor visible({batch, count});
  for (std::size_t i = 0; i < visible.size(); ++i) visible.data()[i] = static_cast<float>(first + i % count + 1);
  return graph.input("lengths", {"batch", "query"}, std::move(visible));
}

// [anchor: transformer_decoder]
Var Transformer::decode(const Var& ids, Decoding& state, std::size_t position, const Var& rows) {
  Graph& graph = ids.graph();
  const Var visible = visible_words(graph, ids.size(0), ids.size(1), state.position);
  Var x = target_(ids, position);
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const auto block = graph.scope(std::to_string(i));
    x = decoder_[i](x, state.blocks[i], visible, state.lengths, state.position);
  }
  state.position += ids.size(1);
  return dense_(wanted_rows(decoder_end_.before(x, "end"), rows));
}

Var Transformer::step(const Var& ids, Decoding& state) {
  Graph& graph = ids.graph();
  const auto scope = graph.scope("decoder");
  const std::size_t batch = ids.size(0);
  const Var logits = decode(reshape(ids, {batch, 1}), state, stays_at_zero_ ? 0 : state.position, {});
  return graph.name(reshape(logits, {batch, logits.size(2)}), "logits", {"batch", "vocabulary"});
}

Var Transformer::teacher_forced(const Var& ids, Decoding& state, const Var& rows) {
  Graph& graph = ids.graph();
  const auto scope = graph.scope("decoder");
  return graph.name(decode(ids, state, state.position, rows), "logits", {"batch", "query", "vocabulary"});
}
// [anchor end]

std::vector<AttentionStep> Transformer::attention() const {
  std::vector<AttentionStep> out;
  for (std::size_t i = 0; i < encoder_.size(); ++i)
    out.push_back({"encoder." + std::to_string(i) + ".attention.weights", "encoder", static_cast<int>(i)});
  for (const char* use : {"self", "cross"})
    for (std::size_t i = 0; i < decoder_.size(); ++i)
      out.push_back({"decoder." + std::to_string(i) + "." + use + ".weights", use, static_cast<int>(i)});
  return out;
}

nn::MultiHeadAttention* Transformer::multi_head(const std::string& name) {
  for (std::size_t i = 0; i < encoder_.size(); ++i)
    if (name == "encoder." + std::to_string(i) + ".attention") return &encoder_[i].attention;
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const std::string block = "decoder." + std::to_string(i);
    if (name == block + ".self") return &decoder_[i].attention1;
    if (name == block + ".cross") return &decoder_[i].attention2;
  }
  return nullptr;
}

void Transformer::visit(const nn::Visitor& f) {
  const auto visit_end = [&f](const std::string& path, nn::AddNorm& end) {
    if (end.place == nn::NormPlace::pre) end.visit(path, f);
  };
  const auto block = [](const char* side, std::size_t i) {
    return std::string(side) + ".blks.block" + std::to_string(i);
  };
  source_.visit("encoder", f);
  for (std::size_t i = 0; i < encoder_.size(); ++i) encoder_[i].visit(block("encoder", i), f);
  visit_end("encoder", encoder_end_);
  target_.visit("decoder", f);
  for (std::size_t i = 0; i < decoder_.size(); ++i) decoder_[i].visit(block("decoder", i), f);
  visit_end("decoder", decoder_end_);
  dense_.visit("decoder.dense", f);
}

}  // namespace attn::models
