#pragma once

#include <functional>
#include <string>

#include "graph/graph.hpp"

namespace attn::nn {

/// Called with the path and the parameter: parameters, counts, save and load all follow from one visit.
/// The paths are those of a PyTorch state_dict of the same modules.
using Visitor = std::function<void(const std::string& path, Parameter& parameter)>;

/// uniform(-a, a) with a = sqrt(6 / (fan_in + fan_out)) for a weight [fan_out, fan_in].   (Glorot and Bengio 2010, eq. 16)
Tensor xavier_uniform(std::size_t fan_out, std::size_t fan_in, Rng& rng);
/// uniform(-bound, bound).
Tensor uniform(const Shape& shape, float bound, Rng& rng);

}  // namespace attn::nn
