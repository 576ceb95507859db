#include "fuzz/target.hpp"

#include <stdexcept>

#include "tensor/error.hpp"

namespace attn::fuzz {

Target pairs_target();
Target model_file_target();
Target checkpoint_target();
Target formula_target();

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {pairs_target(), model_file_target(), checkpoint_target(), formula_target()};
  return all;
}

const Target& target(const std::string& name) {
  std::string names;
  for (const Target& t : targets()) {
    if (name == t.name) return t;
    names += (names.empty() ? "" : ", ") + std::string(t.name);
  }
  throw ConfigError("there is no fuzz target \"" + name + "\"; there are " + names);
}

void require(bool holds, const char* rule) {
  if (!holds) throw std::logic_error(std::string("this does not hold: ") + rule);
}

}  // namespace attn::fuzz
