// A tensor as an xtensor array: the door to views, broadcasting, transposes and reductions. For source files only, so that
// xtensor's headers are compiled where they are used and nowhere else.
#pragma once

#include <xtensor/xadapt.hpp>

#include "tensor/tensor.hpp"

namespace attn {
namespace detail {
inline xt::dynamic_shape<std::size_t> dims(const Shape& shape) { return {shape.begin(), shape.end()}; }
}  // namespace detail

inline auto array(const Tensor& t) {
  return xt::adapt(t.data(), t.size(), xt::no_ownership(), detail::dims(t.shape()));
}
inline auto array(Tensor& t) { return xt::adapt(t.data(), t.size(), xt::no_ownership(), detail::dims(t.shape())); }

}  // namespace attn
