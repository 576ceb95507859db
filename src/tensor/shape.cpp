#include "tensor/shape.hpp"

#include <algorithm>

#include "tensor/error.hpp"

namespace attn {

Shape::Shape(std::initializer_list<std::size_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}

Shape::Shape(std::span<const std::size_t> sizes) : rank_(sizes.size()) {
  if (rank_ > kMaxRank) throw ShapeError("a tensor has at most 6 axes, not " + std::to_string(rank_));
  std::copy(sizes.begin(), sizes.end(), sizes_.begin());
}

std::size_t Shape::checked_elements() const {
  if (std::find(begin(), end(), std::size_t{0}) != end()) return 0;
  throw ShapeError("a tensor of shape " + str() + " is too large: it may have " + std::to_string(kMaxElements) +
                   " numbers at the most");
}

Shape Shape::inserted(std::size_t at, std::size_t size) const {
  Shape out = *this;
  if (rank_ == kMaxRank) throw ShapeError("a tensor has at most 6 axes");
  std::copy_backward(begin() + at, end(), out.sizes_.data() + rank_ + 1);
  out.sizes_[at] = size;
  out.rank_ = rank_ + 1;
  return out;
}

Shape Shape::erased(std::size_t at) const {
  Shape out = *this;
  std::copy(begin() + at + 1, end(), out.sizes_.data() + at);
  out.rank_ = rank_ - 1;
  return out;
}

std::string Shape::str() const {
  std::string out = "[";
  for (std::size_t i = 0; i < rank_; ++i) out += (i ? ", " : "") + std::to_string(sizes_[i]);
  return out + "]";
}

Shape broadcast(const char* op, const Shape& a, const Shape& b) {
  Shape out = a.rank() >= b.rank() ? a : b;
  for (std::ptrdiff_t i = 1; i <= static_cast<std::ptrdiff_t>(std::min(a.rank(), b.rank())); ++i) {
    if (a[-i] != b[-i] && a[-i] != 1 && b[-i] != 1)
      throw ShapeError(std::string(op) + ": shapes " + a.str() + " and " + b.str() + " do not broadcast (sizes " +
                       std::to_string(a[-i]) + " and " + std::to_string(b[-i]) + ")");
    out[-i] = a[-i] == 1 ? b[-i] : a[-i];
  }
  return out;
}

}  // namespace attn
