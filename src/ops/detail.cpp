#include "ops/detail.hpp"
#include "tensor/array.hpp"

#include <cmath>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

namespace attn::detail {

Cell broadcast_cell(const Cell& cell, const Shape& from) {
  Cell out(from.rank());
  const std::size_t skipped = cell.size() - from.rank();
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = from[static_cast<std::ptrdiff_t>(i)] == 1 ? 0 : cell[skipped + i];
  return out;
}

std::vector<Cell> readers(const Shape& out, const Shape& from, const Cell& cell) {
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < out.elements(); ++i) {
    Cell reader = cell_at(out, i);
    if (broadcast_cell(reader, from) == cell) cells.push_back(std::move(reader));
  }
  return cells;
}

Tensor sum_to(const Tensor& gradient, const Shape& shape) {
  if (gradient.shape() == shape) return gradient;
  const std::size_t extra = gradient.rank() - shape.rank();
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < gradient.rank(); ++i)
    if (i < extra ||
        (shape[static_cast<std::ptrdiff_t>(i - extra)] == 1 && gradient.size(static_cast<std::ptrdiff_t>(i)) != 1))
      axes.push_back(i);
  if (axes.empty()) return gradient.reshaped(shape);  // only leading axes of size 1 fall away
  Shape kept = gradient.shape();
  for (std::size_t i = axes.size(); i-- > 0;) kept = kept.erased(axes[i]);
  Tensor out(kept);
  xt::noalias(array(out)) = xt::sum(array(gradient), axes);
  return out.reshaped(shape);
}

Cell with(Cell cell, std::ptrdiff_t axis, std::size_t index) {
  cell[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::ptrdiff_t>(cell.size()) : axis)] = index;
  return cell;
}

std::size_t whole(float value, std::size_t limit, const char* what) {
  if (!(value >= 0.0F && value < static_cast<float>(limit)) || value != std::floor(value))
    throw DataError(std::string(what) + ": " + std::to_string(value) + " is not a whole number from 0 to " +
                    std::to_string(limit - 1));
  return static_cast<std::size_t>(value);
}

}  // namespace attn::detail
