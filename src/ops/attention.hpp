#pragma once

#include "ops/softmax.hpp"

namespace attn {

/// Scaled dot-product attention of several heads in one op, softmax(q kᵀ / √d) v for each head, with dropout on the
/// weights while training.                                                     (Vaswani et al. 2017, section 3.2)
/// The heads lie side by side in the last axis, d = C / heads; nothing is split, transposed or copied.
///   q [B, Tq, C], k [B, Tk, C], v [B, Tk, Cv], lengths [B] or [B, Tq] or none -> [B, Tq, Cv]
/// Keys behind the length are hidden as `rule` says; under the correct one they are not looked at, and a query without a
/// valid key gives zeros and no gradient. Dropout draws a number a weight in the order [B, heads, Tq, Tk].
/// Training and prediction use it; a graph that records is better served by the composed form, whose scores and weights
/// are steps of their own.
/// Throws ShapeError naming the shapes that do not fit, DataError for a length outside, ConfigError as dropout() does.
Var attention(const Var& q, const Var& k, const Var& v, std::size_t heads, const Var& lengths = {},
              MaskRule rule = MaskRule::correct, float dropout = 0.0F);

}  // namespace attn
