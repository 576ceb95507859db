#pragma once

#include "engine/json.hpp"

namespace attn::engine {

/// The verb `gpu`: what is asked for is done, then the state of the GPU is told, as web/src/shared/engine.ts has it.
/// Throws ConfigError for a choice that does not exist; a GPU that is missing or fails throws nothing.
Json gpu_reply(const Json& request);

}  // namespace attn::engine
