// What the op families share. For ops/*.cpp only.
#pragma once

#include "graph/graph.hpp"

namespace attn::detail {

/// The cell of an operand of shape `from` that an output cell reads under broadcasting.
Cell broadcast_cell(const Cell& cell, const Shape& from);

/// All output cells that read `cell` of an operand of shape `from`.
std::vector<Cell> readers(const Shape& out, const Shape& from, const Cell& cell);

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

/// An integer held in float32, as ids and lengths are. Throws DataError naming `what` unless it is whole and in [0, limit).
std::size_t whole(float value, std::size_t limit, const char* what);

/// The score that the book gives to a hidden key (B3, B4).
inline constexpr float kBookMask = -1e6F;

/// The valid length of each row of scores [B, ..., n, m], from lengths [B] or [B, n] with whole numbers 0 … m.
/// Throws ShapeError naming both shapes, DataError for a length outside, each naming `op`.
std::vector<std::size_t> row_lengths(const std::string& op, const Shape& scores, const Tensor& lengths);

/// What dropout multiplies by: 0 with probability p, else 1/(1-p), one uniform number drawn an element, in order.
/// An empty Tensor where dropout does nothing: outside training, or p = 0. Throws as dropout() does.
Tensor dropout_mask(const Graph::Options& options, const Shape& shape, float p);

}  // namespace attn::detail
