// One run of a lab, as the engine would make it.
#pragma once

#include <memory>

#include "engine/registry.hpp"
#include "models/model.hpp"
#include "support/golden.hpp"

namespace attn::test {

class LabRun {
 public:
  /// With its defaults, but for the inputs given. `edits`: steps and all of their values.
  explicit LabRun(const std::string& lab, const Json& inputs = Json::object(),
                  const std::map<std::string, std::vector<float>>& edits = {});

  const Tensor& operator[](const std::string& step) const { return node(step).value; }
  double at(const std::string& step, const Cell& cell = {}) const { return (*this)[step].at(cell); }
  std::vector<double> row(const std::string& step,
                          const Cell& first = {}) const;  // the last axis from these indices on
  const Node& node(const std::string& step) const;        // fails the test if there is none
  bool has(const std::string& step) const;
  /// d (one cell of a step) / d (another step).
  Tensor slope(const std::string& of, const Cell& cell, const std::string& with_respect_to);

  std::unique_ptr<Graph> graph;
  models::Result result;

 private:
  Edits edits_;
  std::unique_ptr<models::Model> model_;
};

/// What the lab says when it refuses these inputs; empty when it does not.
std::string refusal_of(const std::string& lab, const Json& inputs);

}  // namespace attn::test
