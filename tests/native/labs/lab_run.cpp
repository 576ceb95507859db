#include "labs/lab_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/json.hpp"

namespace attn::test {

LabRun::LabRun(const std::string& lab, const Json& inputs, const std::map<std::string, std::vector<float>>& edits) {
  for (const auto& [step, values] : edits) {
    Edit edit;
    edit.values = values;
    edits_.emplace(step, std::move(edit));
  }
  graph = std::make_unique<Graph>(Graph::Options{.edits = edits_.empty() ? nullptr : &edits_});
  engine::FieldReader config(Json::object(), "config");
  model_ = engine::kind(lab).open(config, {});
  engine::FieldReader reader(inputs, "inputs of " + lab);
  model_->inputs(reader);
  reader.finish();
  result = model_->run(*graph);
}

bool LabRun::has(const std::string& step) const {
  return std::ranges::any_of(graph->nodes(), [&step](const NodePtr& n) { return n->name == step; });
}

const Node& LabRun::node(const std::string& step) const {
  const auto found = std::ranges::find_if(graph->nodes(), [&step](const NodePtr& n) { return n->name == step; });
  INFO("step ", step);
  REQUIRE(found != graph->nodes().end());
  return **found;
}

std::vector<double> LabRun::row(const std::string& step, const Cell& first) const {
  Cell cell = first;
  cell.push_back(0);
  std::vector<double> out;
  for (; cell.back() < (*this)[step].shape().back(); ++cell.back()) out.push_back((*this)[step].at(cell));
  return out;
}

Tensor LabRun::slope(const std::string& of, const Cell& cell, const std::string& with_respect_to) {
  graph->backward(Var(graph->nodes()[static_cast<std::size_t>(node(of).id)]), 1.0F, cell);
  return node(with_respect_to).gradient;
}

std::string refusal_of(const std::string& lab, const Json& inputs) {
  try {
    LabRun run(lab, inputs);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace attn::test
