#pragma once

#include "text/pairs.hpp"

namespace attn::text {

/// BLEU of one sentence, as the chapter defines it (Papineni et al. 2002, with weights 1/2^n):
///   exp(min(0, 1 − |label|/|prediction|)) · Π_{n=1..k} p_n^(1/2^n),   p_n with clipped counts.
/// n goes up to min(k, |prediction|), so a short prediction is no division by zero (fault B8); an empty prediction
/// scores 0. In [0, 1].
double bleu(const Tokens& prediction, const Tokens& label, std::size_t k = 2);

}  // namespace attn::text
