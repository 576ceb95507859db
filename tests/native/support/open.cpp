#include "support/open.hpp"

#include "engine/registry.hpp"

namespace attn::test {

std::unique_ptr<models::Model> open_model(const std::string& name, const engine::Json& config,
                                          const std::string& pairs) {
  engine::FieldReader reader(config, "config of " + name);
  models::Opening opening;
  if (!pairs.empty()) opening.pairs = pairs;
  auto model = engine::kind(name).open(reader, std::move(opening));
  reader.finish();
  return model;
}

void set_inputs(models::Model& model, const engine::Json& inputs) {
  engine::FieldReader reader(inputs, "inputs");
  model.inputs(reader);
  reader.finish();
}

}  // namespace attn::test
