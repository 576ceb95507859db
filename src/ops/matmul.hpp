#pragma once

#include "graph/graph.hpp"

namespace attn {

/// Matrix product over the last two axes: a [..., m, k] b [..., k, n] -> [..., m, n]. The leading axes are equal, or b
/// has none and serves every matrix of a. Throws ShapeError naming both shapes.
Var matmul(const Var& a, const Var& b);

/// a bᵀ: a [..., m, k] b [..., n, k] -> [..., m, n]; queries against keys.
Var matmul_transposed(const Var& a, const Var& b);

/// x Wᵀ + b, PyTorch's layout: x [..., in], weight [out, in], bias [out] or none -> [..., out].
Var linear(const Var& x, const Var& weight, const Var& bias = {});

/// Several of them of which none reads what another gives, for a layer's queries, keys and values: one submission to a GPU.
struct LinearOperands {
  Var x, weight, bias;
};
Vars linear_many(const List<LinearOperands>& layers);

}  // namespace attn
