#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace attn {

/// The sizes of a tensor's axes, outermost first. Rank 0 is a single number. At most 6 axes, kept inline.
class Shape {
 public:
  static constexpr std::size_t kMaxRank = 6;
  static constexpr std::size_t kMaxElements = std::size_t{1} << 28;  // of a tensor: 1 GiB, all that a tab may have

  Shape() = default;
  Shape(std::initializer_list<std::size_t> sizes);
  explicit Shape(std::span<const std::size_t> sizes);

  std::size_t rank() const { return rank_; }
  /// Number of elements: the product of the sizes, 1 for rank 0. Throws ShapeError where it would be above kMaxElements.
  std::size_t elements() const {
    std::uint64_t out = 1;
    for (std::size_t i = 0; i < rank_; ++i) {
      if (sizes_[i] > kMaxElements) return checked_elements();
      out *= sizes_[i];
      if (out > kMaxElements) return checked_elements();
    }
    return static_cast<std::size_t>(out);
  }
  /// Size of an axis; a negative axis counts from the last. The axis must exist.
  std::size_t operator[](std::ptrdiff_t axis) const { return sizes_[index(axis)]; }
  std::size_t& operator[](std::ptrdiff_t axis) { return sizes_[index(axis)]; }
  std::size_t back() const { return (*this)[-1]; }

  const std::size_t* begin() const { return sizes_.data(); }
  const std::size_t* end() const { return sizes_.data() + rank_; }

  /// The same shape with one axis more (`at` counts in the new shape) or one less.
  Shape inserted(std::size_t at, std::size_t size) const;
  Shape erased(std::size_t at) const;

  std::string str() const;  // "[2, 3]"

  friend bool operator==(const Shape& a, const Shape& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  std::size_t checked_elements() const;  // 0 if a size is 0, otherwise throws
  std::size_t index(std::ptrdiff_t axis) const {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::ptrdiff_t>(rank_) : axis);
  }
  std::array<std::size_t, kMaxRank> sizes_{};
  std::size_t rank_ = 0;
};

/// Shape of a op b by the usual broadcasting rule: aligned at the last axis, sizes equal or 1.
/// Throws ShapeError naming `op` and both shapes.
Shape broadcast(const char* op, const Shape& a, const Shape& b);

}  // namespace attn
