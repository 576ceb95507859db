#pragma once

#include "graph/graph.hpp"

namespace attn {

inline constexpr float kNormEpsilon = 1e-5F;  // PyTorch's default

/// Layer normalisation over the last axes, as many as gamma has: γ (x − mean) / √(variance + ε) + β.
///   x [..., C], gamma and beta [C] -> [..., C]; or [..., T, C] with [T, C], which mixes positions (fault B20).
/// Throws ShapeError naming the shapes.                                            (Ba, Kiros and Hinton 2016, eq. 4)
Var layer_norm(const Var& x, const Var& gamma, const Var& beta, float epsilon = kNormEpsilon);

/// Batch normalisation with the batch's own statistics: each feature over all rows.
///   x [..., C], gamma and beta [C] -> [..., C]. Throws ShapeError naming the shapes.      (Ioffe and Szegedy 2015, algorithm 1)
Var batch_norm(const Var& x, const Var& gamma, const Var& beta, float epsilon = kNormEpsilon);

}  // namespace attn
