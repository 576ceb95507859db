#pragma once

#include "nn/module.hpp"

namespace attn::nn {

/// P[i, 2j] = sin(i / 10000^(2j/width)), P[i, 2j+1] = cos(i / 10000^(2j/width)) for i = first … first + count − 1:
/// [count, width]. Any width: an odd one ends with a sine (fault B10).                (Vaswani et al. 2017, section 3.5)
Tensor sinusoids(std::size_t first, std::size_t count, std::size_t width);

enum class PositionKind { sinusoid, learned, none };

/// Tells each word where it stands: its position's vector is added (or joined behind, to see why it is not), then dropout.
struct PositionalEncoding {
  PositionKind kind = PositionKind::sinusoid;
  bool joined = false;  // concatenated instead of added: twice the features
  float dropout = 0.0F;
  Parameter weight;  // learned: [longest, C]

  PositionalEncoding() = default;
  PositionalEncoding(PositionKind kind, bool joined, std::size_t longest, std::size_t size, float dropout, Rng& rng);

  /// x [B, T, C], its words at positions first … first + T − 1 -> [B, T, C] (joined: [B, T, 2C]).
  /// Throws ShapeError if a learned encoding is not that long. Records: positions [T, C].
  Var operator()(const Var& x, std::size_t first);
  void visit(const std::string& path, const Visitor& f);

 private:
  Var positions(Graph& graph, std::size_t first, std::size_t count, std::size_t width);
  Tensor table_;  // of the sinusoids, as far as they were asked for (fault B11: no fixed end)
};

enum class RelativeKind { none, clipped, bias };

/// What a score knows of the distance key − query, clipped to ±reach:
///   clipped: q · a[distance], a vector for each distance, shared by the heads    (Shaw et al. 2018, eq. 4, on the keys)
///   bias: b[distance, head], a number                                                   (Raffel et al. 2020, section 2.1, without buckets)
struct RelativePositions {
  RelativeKind kind = RelativeKind::none;
  std::size_t reach = 0;
  bool scaled = true;  // clipped: by 1/√D, as the products
  Parameter weight;    // [2 reach + 1, D] or [2 reach + 1, H]; row reach + clip(key − query)

  RelativePositions() = default;
  RelativePositions(RelativeKind kind, std::size_t reach, std::size_t head_size, std::size_t heads, Rng& rng);
  /// To be added to the scores: queries [B, H, Tq, D] at positions first … -> [B, H, Tq, Tk] (clipped: after the 1/√D),
  /// or [H, Tq, Tk].
  Var scores(const Var& queries, std::size_t first, std::size_t keys);
  void visit(const std::string& path, const Visitor& f);
};

}  // namespace attn::nn
