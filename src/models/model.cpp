#include "models/model.hpp"

namespace attn::models {

std::vector<Parameter*> Model::parameters() {
  std::vector<Parameter*> out;
  visit([&out](const std::string& path, Parameter& parameter) {
    parameter.name = path;
    out.push_back(&parameter);
  });
  return out;
}

}  // namespace attn::models
