#include "ops/detail.hpp"

#include "kernels/reduce.hpp"
#include "tensor/refusal.hpp"

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

namespace {

/// The stride of each axis of the output in an operand of shape `from`, 0 where it repeats.
std::array<std::size_t, Shape::kMaxRank> strides(const Shape& out, const Shape& from) {
  std::array<std::size_t, Shape::kMaxRank> of{};
  std::size_t stride = 1;
  for (std::size_t i = 1; i <= from.rank(); ++i) {
    const std::size_t size = from[-static_cast<std::ptrdiff_t>(i)];
    if (size != 1) of[out.rank() - i] = stride;
    stride *= size;
  }
  return of;
}

}  // namespace

BroadcastRows::BroadcastRows(const Shape& out, const Shape& a, const Shape& b) : length(1), a_step(0), b_step(0) {
  const auto a_strides = strides(out, a), b_strides = strides(out, b);
  std::size_t inner = out.rank();
  for (; inner > 0; --inner) {  // the innermost axes, as long as both operands go on as they began
    const std::size_t i = inner - 1, size = out.begin()[i];
    if (size == 1) continue;
    if (length == 1) {
      a_step = a_strides[i] == 0 ? 0 : 1, b_step = b_strides[i] == 0 ? 0 : 1;
    } else if (a_strides[i] != a_step * length || b_strides[i] != b_step * length) {
      break;
    }
    length *= size;
  }
  for (std::size_t i = 0; i < inner; ++i) {
    const std::size_t size = out.begin()[i];
    rows_ *= size;
    if (size != 1) axis_[axes_++] = {size, a_strides[i], b_strides[i]};
  }
  if (length == 0) rows_ = 0;
}

Tensor sum_to(const Tensor& gradient, const Shape& shape) {
  if (gradient.size() == shape.elements() && gradient.size() > 0) return gradient.reshaped(shape);
  Tensor out = Tensor::zeros(shape);
  const BroadcastRows rows(gradient.shape(), gradient.shape(), shape);
  rows.each([&](std::size_t, std::size_t from, std::size_t to) {
    const float* row = gradient.data() + from;
    if (rows.b_step == 0)
      out.data()[to] += kernels::sum(row, rows.length);
    else
      kernels::add_to(row, out.data() + to, rows.length);
  });
  return out;
}

Cell with(Cell cell, std::ptrdiff_t axis, std::size_t index) {
  cell[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::ptrdiff_t>(cell.size()) : axis)] = index;
  return cell;
}

void refuse_whole(float value, std::size_t limit, const std::string& what) {
  throw refused<DataError>("whole", what + ": {value} is not a whole number from 0 to {most}",
                           {{"value", std::to_string(value)}, {"most", std::to_string(limit - 1)}});
}

List<std::size_t> row_lengths(const char* op, const Shape& scores, const Tensor& lengths) {
  const bool each_query = lengths.rank() == 2;
  const bool fits = scores.rank() >= 2 && (lengths.rank() == 1 || each_query) && lengths.size(0) == scores[0] &&
                    (!each_query || lengths.size(1) == scores[-2]);
  if (!fits)
    throw ShapeError(std::string(op) + ": lengths " + lengths.shape().str() + " fit no scores of shape " +
                     scores.str() + "; they are [batch] or [batch, queries]");
  if (scores.elements() == 0) return {};
  const std::size_t keys = scores.back(), rows = scores.elements() / keys;
  const std::size_t rows_of_example = rows / scores[0], queries = scores[-2];
  List<std::size_t> valid(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t example = row / rows_of_example;
    const float length = lengths.values()[each_query ? example * queries + row % queries : example];
    if (!is_whole(length, keys + 1)) refuse_whole(length, keys + 1, std::string(op) + ": valid length");
    valid[row] = static_cast<std::size_t>(length);
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
