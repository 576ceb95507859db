#include "engine/failure.hpp"

namespace attn::engine {

Json failure_json(const Error& error) {
  Json out = {{"type", error.type()}, {"message", error.what()}};
  if (const auto* reason = dynamic_cast<const Reason*>(&error)) {
    out["code"] = reason->code;
    out["values"] = reason->values;
  }
  return out;
}

}  // namespace attn::engine
