#include "tensor/tensor.hpp"

#include <algorithm>

namespace attn {

Tensor Tensor::full(const Shape& shape, float value) {
  Tensor out(shape);
  std::ranges::fill(out.mutable_values(), value);
  return out;
}

Tensor Tensor::of(const Shape& shape, std::span<const float> values) {
  if (values.size() != shape.elements())
    throw ShapeError("shape " + shape.str() + " holds " + std::to_string(shape.elements()) + " values, not " +
                     std::to_string(values.size()));
  Tensor out(shape);
  std::ranges::copy(values, out.data());
  return out;
}

Tensor Tensor::reshaped(const Shape& shape) const {
  if (shape.elements() != size())
    throw ShapeError("reshape: " + shape_.str() + " has " + std::to_string(size()) + " elements, " + shape.str() +
                     " has " + std::to_string(shape.elements()));
  Tensor out = *this;
  out.shape_ = shape;
  return out;
}

Tensor Tensor::copy() const { return *this ? of(shape_, values()) : Tensor(); }

std::size_t Tensor::offset(std::span<const std::size_t> cell) const {
  bool inside = cell.size() == rank();
  std::size_t out = 0;
  for (std::size_t i = 0; inside && i < cell.size(); ++i) {
    inside = cell[i] < shape_[static_cast<std::ptrdiff_t>(i)];
    out = out * shape_[static_cast<std::ptrdiff_t>(i)] + cell[i];
  }
  if (!inside) throw ShapeError("cell " + Shape(cell).str() + " lies outside a tensor of shape " + shape_.str());
  return out;
}

Cell cell_at(const Shape& shape, std::size_t offset) {
  Cell cell(shape.rank());
  for (std::size_t i = shape.rank(); i-- > 0;) {
    const std::size_t size = shape[static_cast<std::ptrdiff_t>(i)];
    cell[i] = offset % size;
    offset /= size;
  }
  return cell;
}

}  // namespace attn
