#pragma once

#include <vector>

#include "models/model.hpp"

namespace attn::engine {

/// Every model and lab there is: one line each.
const std::vector<models::Kind>& kinds();

/// Throws ConfigError naming those there are.
const models::Kind& kind(const std::string& name);

}  // namespace attn::engine
