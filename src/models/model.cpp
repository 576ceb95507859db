#include "models/model.hpp"

#include <cstdio>

namespace attn::models {

std::vector<Parameter*> Model::parameters() {
  std::vector<Parameter*> out;
  visit([&out](const std::string& path, Parameter& parameter) {
    parameter.name = path;
    out.push_back(&parameter);
  });
  return out;
}

std::vector<std::string> as_labels(const Tensor& numbers) {
  std::vector<std::string> out;
  for (const float x : numbers.values()) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f", static_cast<double>(x));
    std::string word = text;
    word.erase(word.find_last_not_of('0') + 1);
    if (word.ends_with('.')) word.pop_back();
    out.push_back(word == "-0" ? "0" : word);
  }
  return out;
}

}  // namespace attn::models
