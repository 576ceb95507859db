#pragma once

#include "graph/graph.hpp"

namespace attn {

/// Cross-entropy of each row: logits [..., V], targets [...] whole numbers 0 … V-1 -> [...], in nats:
///   loss = log Σ_j exp(logit_j) - logit_target.
/// Throws ShapeError naming both shapes, DataError naming a target outside the vocabulary.
Var cross_entropy(const Var& logits, const Var& targets);

}  // namespace attn
