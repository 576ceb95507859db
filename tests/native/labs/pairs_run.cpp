#include "labs/pairs_run.hpp"

#include <stdexcept>

namespace attn::test {

PairsRun::PairsRun(const std::string& lab, const std::string& pairs, const Json& config) {
  opened = engine_.call("open", {{"model", lab}, {"config", config}, {"data", {{"pairs", pairs}}}}).head;
  ran_ = engine_.call("run", {{"session", opened["session"]}, {"want", {"*"}}});
}

const Json& PairsRun::step(const std::string& name) const {
  for (const Json& s : ran_.head["steps"])
    if (s["name"] == name) return s;
  throw std::runtime_error("no step " + name);
}

double PairsRun::at(const std::string& name, std::size_t i) const {
  return ran_.data.at(step(name)["offset"].get<std::size_t>() + i);
}

std::vector<double> PairsRun::row(const std::string& name) const {
  const Json& found = step(name);
  const auto first = ran_.data.begin() + found["offset"].get<std::ptrdiff_t>();
  return {first, first + found["axes"].at(0)["size"].get<std::ptrdiff_t>()};
}

}  // namespace attn::test
