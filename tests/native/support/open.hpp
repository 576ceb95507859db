#pragma once

#include <memory>
#include <string>

#include "engine/json.hpp"

namespace attn::test {

/// A model as the engine opens one, from its name, config and the text of a file of pairs ("": none).
std::unique_ptr<models::Model> open_model(const std::string& name, const engine::Json& config,
                                          const std::string& pairs = "");

/// Sets the inputs of the model's next run.
void set_inputs(models::Model& model, const engine::Json& inputs);

}  // namespace attn::test
