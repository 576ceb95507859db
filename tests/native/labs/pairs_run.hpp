// A run of a lab that reads pairs, by the verbs.
#pragma once

#include "engine/engine.hpp"
#include "support/golden.hpp"

namespace attn::test {

class PairsRun {
 public:
  PairsRun(const std::string& lab, const std::string& pairs, const Json& config = Json::object());

  const Json& step(const std::string& name) const;  // throws if there is none
  double at(const std::string& name, std::size_t i = 0) const;
  std::vector<double> row(const std::string& name) const;

  Json opened;

 private:
  engine::Engine engine_{"native"};
  engine::Reply ran_;
};

}  // namespace attn::test
