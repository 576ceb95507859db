#pragma once

#include <set>

#include "kernels/webgpu/device.hpp"
#include "nn/attention.hpp"
#include "nn/positions.hpp"

namespace attn::nn {

/// Keys and values as a layer's queries meet them: projected once, kept for all queries that come (fault B27).
/// [B, Tk, C], or split among the heads, [B, H, Tk, C/H], where the composed form needs them so.
struct KeyValues {
  Var keys, values;
};

struct MultiHeadSizes {
  std::size_t query, key, value;  // features of what is given
  std::size_t hidden;             // of all heads together
  std::size_t heads;
  bool bias = false;

  MultiHeadSizes(std::size_t size, std::size_t h) : query(size), key(size), value(size), hidden(size), heads(h) {}
  MultiHeadSizes(std::size_t q, std::size_t k, std::size_t v, std::size_t c, std::size_t h, bool b)
      : query(q),
        key(k),
        value(v),
        hidden(c),
        heads(h),
        bias(b) {}
};

/// Multi-head attention: each head attends within its own share of the features; W_o joins what they found.
///   head_i = attention(W_q q, W_k k, W_v v)_i     output = W_o [head_1; …; head_H]   (Vaswani et al. 2017, section 3.2.2)
struct MultiHeadAttention {
  Linear W_q, W_k, W_v;  // [C, query size] …
  Linear W_o;            // [C, C]
  std::size_t heads = 1;
  DotProductAttention attention;
  RelativePositions relative;
  std::set<std::size_t> off;  // heads that add nothing, to see what they are worth
  bool switchable = false;    // each head has a switch among the steps, even if all are on

  MultiHeadAttention() = default;
  /// Throws ConfigError if the heads do not divide the features (fault B9).
  MultiHeadAttention(const MultiHeadSizes& sizes, float dropout, MaskRule rule, Rng& rng);

  /// keys [B, Tk, key size], values [B, Tk, value size], projected.
  KeyValues project(const Var& keys, const Var& values);
  /// The same, and queries [B, Tq, query size] -> [B, Tq, C] with them: three products at once.
  struct Projected {
    Var queries;
    KeyValues memory;
  };
  Projected project(const Var& queries, const Var& keys, const Var& values);
  /// What was kept, and behind it what is new. Nothing kept: what is new.
  static KeyValues append(const KeyValues& kept, const KeyValues& now);
  /// Names for those that are looked at. Records: keys, values [B, H, Tk, C/H].
  static KeyValues named(const KeyValues& memory);

  ///   queries [B, Tq, query size] at positions first …, memory of Tk words, lengths [B] or [B, Tq] or none -> [B, Tq, C]
  /// Records: queries [B, H, Tq, C/H]; what DotProductAttention records, with heads; where heads are off or switchable, switches
  /// [H, 1, 1] and kept [B, H, Tq, C/H]; output [B, Tq, C].
  Var operator()(const Var& queries, const KeyValues& memory, const Var& lengths, std::size_t first = 0);
  /// From projected queries [B, Tq, C] on.
  Var attend(const Var& projected, const KeyValues& memory, const Var& lengths, std::size_t first = 0);
  /// The same numbers, one head after the other.
  /// Records under "<head>": what DotProductAttention records; output [B, Tq, C].
  Var looped(const Var& queries, const Var& keys, const Var& values, const Var& lengths);
  void visit(const std::string& path, const Visitor& f);

 private:
  bool composed(const Graph& graph) const {
    return graph.naming() || relative.kind != RelativeKind::none || has_switches() ||
           kernels::gpu::takes_all(graph.options().path);
  }
  KeyValues split(const Var& keys, const Var& values) const;
  bool has_switches() const { return switchable || !off.empty(); }
  Var unscaled(const Var& projected) const;
  Var context(const Var& queries, const KeyValues& memory, const Var& lengths, std::size_t first);
  Var switched(const Var& found) const;
};

/// [B, T, C] -> [B, H, T, C/H]: seen as B·H matrices, row b·H + h is head h of example b.
Var split_heads(const Var& x, std::size_t heads);
/// Its inverse.
Var merge_heads(const Var& x);

}  // namespace attn::nn
