#pragma once

#include "engine/json.hpp"
#include "tensor/refusal.hpp"

namespace attn::engine {

/// An error as the `Failure` of web/src/shared/protocol.ts: {type, message}, and for a refusal that has one, {code, values}.
Json failure_json(const Error& error);

}  // namespace attn::engine
