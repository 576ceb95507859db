// What the op families share. For ops/*.cpp only.
#pragma once

#include <array>
#include <cmath>

#include "graph/graph.hpp"

namespace attn::detail {

/// The cell of an operand of shape `from` that an output cell reads under broadcasting.
Cell broadcast_cell(const Cell& cell, const Shape& from);

/// All output cells that read `cell` of an operand of shape `from`.
std::vector<Cell> readers(const Shape& out, const Shape& from, const Cell& cell);

/// An output row by row, with the rows of two operands that broadcasting gives it. Axes along which both operands lie
/// close together are one row.
class BroadcastRows {
 public:
  BroadcastRows(const Shape& out, const Shape& a, const Shape& b);

  std::size_t length;          // of a row of the output
  std::size_t a_step, b_step;  // 0: one number of the operand serves the whole row, otherwise 1

  /// f(offset in the output, in a, in b) of each row.
  template <class F>
  void each(F&& f) const {
    std::array<std::size_t, Shape::kMaxRank> at{};
    std::size_t a = 0, b = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      f(row * length, a, b);
      for (std::size_t i = axes_; i-- > 0;) {
        a += axis_[i].a, b += axis_[i].b;
        if (++at[i] < axis_[i].size) break;
        a -= axis_[i].size * axis_[i].a, b -= axis_[i].size * axis_[i].b;
        at[i] = 0;
      }
    }
  }

 private:
  struct Axis {
    std::size_t size, a, b;  // and the strides of the operands, 0 where they repeat
  };
  std::array<Axis, Shape::kMaxRank> axis_{};
  std::size_t axes_ = 0, rows_ = 1;
};

/// Sums a gradient over the axes along which an operand was broadcast.
Tensor sum_to(const Tensor& gradient, const Shape& shape);

/// An expression a cell, added up; for sums over many cells.
template <class F>
Expr sum_over(std::size_t n, F&& term) {
  std::vector<Expr> terms;
  terms.reserve(n);
  for (std::size_t i = 0; i < n; ++i) terms.push_back(term(i));
  return n == 0 ? expr::constant(0.0) : expr::add(std::move(terms));
}

/// The cell with its last index, or the index of one axis, replaced.
Cell with(Cell cell, std::ptrdiff_t axis, std::size_t index);

/// Whether a float32 holds an integer in [0, limit), as ids and lengths do.
inline bool is_whole(float value, std::size_t limit) {
  return value >= 0.0F && value < static_cast<float>(limit) && value == std::floor(value);
}

[[noreturn]] void refuse_whole(float value, std::size_t limit, const std::string& what);

/// An integer held in float32, as ids and lengths are. Throws DataError naming `what` unless it is whole and in [0, limit).
inline std::size_t whole(float value, std::size_t limit, const char* what) {
  if (!is_whole(value, limit)) refuse_whole(value, limit, what);
  return static_cast<std::size_t>(value);
}

/// The score that the book gives to a hidden key (B3, B4).
inline constexpr float kBookMask = -1e6F;

/// The valid length of each row of scores [B, ..., n, m], from lengths [B] or [B, n] with whole numbers 0 … m.
/// Throws ShapeError naming both shapes, DataError for a length outside, each naming `op`.
List<std::size_t> row_lengths(const char* op, const Shape& scores, const Tensor& lengths);

/// What dropout multiplies by: 0 with probability p, else 1/(1-p), one uniform number drawn an element, in order.
/// An empty Tensor where dropout does nothing: outside training, or p = 0. Throws as dropout() does.
Tensor dropout_mask(const Graph::Options& options, const Shape& shape, float p);

}  // namespace attn::detail
