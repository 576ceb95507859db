#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "tensor/error.hpp"
#include "tensor/shape.hpp"
#include "tensor/storage.hpp"

namespace attn {

/// A cheap handle to contiguous, row-major, aligned float32 values. Copying a Tensor copies the handle.
/// Ops return new tensors and never write their operands; only optimisers (and whoever has just made a
/// tensor) write through mutable_values().
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(const Shape& shape) : shape_(shape), storage_(shape.elements()) {}  // contents undefined

  static Tensor zeros(const Shape& shape) { return full(shape, 0.0F); }
  static Tensor full(const Shape& shape, float value);
  static Tensor scalar(float value) { return full({}, value); }
  /// Throws ShapeError if the number of values is not that of the shape.
  static Tensor of(const Shape& shape, std::span<const float> values);
  static Tensor of(const Shape& shape, std::initializer_list<float> values) {
    return of(shape, std::span(values.begin(), values.size()));
  }

  /// False for a default-made Tensor, which stands for "none".
  explicit operator bool() const { return storage_.data() != nullptr; }
  const Shape& shape() const { return shape_; }
  std::size_t rank() const { return shape_.rank(); }
  std::size_t size() const { return *this ? shape_.elements() : 0; }
  std::size_t size(std::ptrdiff_t axis) const { return shape_[axis]; }

  std::span<const float> values() const { return {storage_.data(), size()}; }
  std::span<float> mutable_values() { return {data(), size()}; }
  const float* data() const { return storage_.data(); }
  /// To write through; an address that is kept must not be written through after the next product.
  float* data() {
    storage_.change();
    return storage_.data();
  }
  /// Another number whenever the values may have been written (Storage::version).
  std::uint64_t version() const { return storage_.version(); }

  /// The same values under another shape; no copy. Throws ShapeError if the number of elements differs.
  Tensor reshaped(const Shape& shape) const;
  Tensor copy() const;
  /// Whether no other handle sees these values: then they may be overwritten.
  bool unique() const { return storage_.unique(); }

  /// Offset of a cell (one index an axis). Throws ShapeError when it lies outside.
  std::size_t offset(std::span<const std::size_t> cell) const;
  float at(std::span<const std::size_t> cell) const { return data()[offset(cell)]; }
  float item() const { return data()[0]; }

 private:
  Shape shape_;
  Storage storage_;
};

/// One index an axis.
using Cell = std::vector<std::size_t>;

/// The cell at a row-major offset.
Cell cell_at(const Shape& shape, std::size_t offset);

}  // namespace attn
