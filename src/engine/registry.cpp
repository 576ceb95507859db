#include "engine/registry.hpp"

#include "labs/matmul.hpp"
#include "models/kernel_regression.hpp"
#include "models/translator.hpp"

namespace attn::engine {

const std::vector<models::Kind>& kinds() {
  static const std::vector<models::Kind> all = {
      models::KernelRegression::kind(),  models::Translator::seq2seq(), models::Translator::bahdanau(),
      models::Translator::transformer(), labs::Matmul::kind(),
  };
  return all;
}

const models::Kind& kind(const std::string& name) {
  std::string names;
  for (const models::Kind& k : kinds()) {
    if (name == k.name) return k;
    names += (names.empty() ? "" : ", ") + std::string(k.name);
  }
  throw ConfigError("there is no model \"" + name + "\"; there are " + names);
}

}  // namespace attn::engine
