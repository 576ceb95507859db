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

std::vector<std::size_t> row_lengths(const std::string& op, const Shape& scores, const Tensor& lengths) {
  const bool each_query = lengths.rank() == 2;
  const bool fits = scores.rank() >= 2 && (lengths.rank() == 1 || each_query) && lengths.size(0) == scores[0] &&
                    (!each_query || lengths.size(1) == scores[-2]);
  if (!fits)
    throw ShapeError(op + ": lengths " + lengths.shape().str() + " fit no scores of shape " + scores.str() +
                     "; they are [batch] or [batch, queries]");
  if (scores.elements() == 0) return {};
  const std::size_t keys = scores.back(), rows = scores.elements() / keys;
  const std::size_t rows_of_example = rows / scores[0], queries = scores[-2];
  std::vector<std::size_t> valid(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t example = row / rows_of_example;
    const float length = lengths.values()[each_query ? example * queries + row % queries : example];
    valid[row] = whole(length, keys + 1, (op + ": valid length").c_str());
  }
  return valid;
}

Tensor dropout_mask(const Graph::Options& options, const Shape& shape, float p) {
  if (!(p >= 0.0F && p < 1.0F)) throw ConfigError("dropout: p is at least 0 and under 1, not " + std::to_string(p));
  if (!options.training || p == 0.0F) return {};
  if (options.rng == nullptr) throw ConfigError("dropout: a training graph needs a random generator");
  Tensor mask(shape);
  Rng rng = *options.rng;  // in registers, not behind a pointer
  const float kept = 1.0F / (1.0F - p);
  for (float& m : mask.mutable_values()) m = rng.uniform() < p ? 0.0F : kept;
  *options.rng = rng;
  return mask;
}

}  // namespace attn::detail
