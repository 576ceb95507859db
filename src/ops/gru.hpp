#pragma once

#include "graph/graph.hpp"

namespace attn {

/// The gates of one GRU step, fused; PyTorch's equations and order r, z, n (Cho et al. 2014):
///   from_input [B, 3H] = W_i x + b_i, from_hidden [B, 3H] = W_h h + b_h, hidden [B, H] -> next hidden [B, H].
/// nn::GRU uses its composed form while recording; a test holds the two together. Throws ShapeError.
Var gru_gates(const Var& from_input, const Var& from_hidden, const Var& hidden);

}  // namespace attn
