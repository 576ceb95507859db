#include "engine/derive.hpp"

#include <algorithm>

#include "ops/arithmetic.hpp"
#include "ops/layout.hpp"
#include "ops/reduce.hpp"

namespace attn::engine {
namespace {

/// A tensor with the names of its axes.
struct Named {
  Var var;
  Axes axes;

  std::size_t axis(const std::string& name) const {
    const auto found = std::ranges::find(axes, name);
    if (found == axes.end()) throw ConfigError("derive: there is no axis \"" + name + "\"");
    return static_cast<std::size_t>(found - axes.begin());
  }
};

const Step& find(const std::vector<Step>& steps, const Json& request) {
  const auto name = request.at("step").get<std::string>();
  const auto step = std::ranges::find(steps, name, &Step::name);
  if (step == steps.end()) throw ConfigError("derive: this run has no step \"" + name + "\"");
  return *step;
}

/// Zeros behind each axis until the shape is reached: turns of a loop may grow.
Var padded(Var x, const Shape& shape) {
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    const auto axis = static_cast<std::ptrdiff_t>(i);
    if (x.size(axis) == shape[axis]) continue;
    Shape rest = x.shape();
    rest[axis] = shape[axis] - x.size(axis);
    x = concat({x, x.graph().constant(Tensor::zeros(rest))}, axis);
  }
  return x;
}

/// The handle of a node that the graph holds.
Var handle(const Graph& graph, const Node& node) { return Var(graph.nodes()[static_cast<std::size_t>(node.id)]); }

Named read(const Graph& graph, const Step& step, const Json& request) {
  Axes axes = step.axes();
  if (!step.stacked) return {handle(graph, *step.nodes[0]), axes};
  if (request.contains("time")) {
    const auto time = request["time"].get<std::size_t>();
    if (time >= step.nodes.size()) throw ConfigError("derive: " + step.name + " has no turn " + std::to_string(time));
    axes.erase(axes.begin());
    return {handle(graph, *step.nodes[time]), axes};
  }
  Shape shape = step.shape();
  Vars turns;
  for (const Node* node : step.nodes) turns.push_back(padded(handle(graph, *node), shape.erased(0)));
  return {stack(turns, 0), axes};
}

/// The same tensor as a constant of this graph: the other run's numbers end there.
Named foreign(Graph& graph, const Step& step, const Json& request) {
  Axes axes = step.axes();
  Shape shape = step.shape();
  std::vector<float> values;
  step.append_values(values);
  if (step.stacked && request.contains("time")) {
    const auto time = request["time"].get<std::size_t>();
    if (time >= step.nodes.size()) throw ConfigError("derive: " + step.name + " has no turn " + std::to_string(time));
    const std::size_t size = values.size() / step.nodes.size();
    values = {values.begin() + static_cast<std::ptrdiff_t>(time * size),
              values.begin() + static_cast<std::ptrdiff_t>((time + 1) * size)};
    axes.erase(axes.begin());
    shape = shape.erased(0);
  }
  return {graph.input("other." + step.name, axes, Tensor::of(shape, values)), axes};
}

Named chosen(Named x, const Json& select) {
  for (const auto& [name, indices] : select.items()) {
    const auto axis = static_cast<std::ptrdiff_t>(x.axis(name));
    Vars parts;
    for (const Json& index : indices) {
      const auto i = index.get<std::size_t>();
      if (i >= x.var.size(axis)) throw ConfigError("derive: axis \"" + name + "\" has no entry " + std::to_string(i));
      parts.push_back(slice(x.var, axis, i, 1));
    }
    if (parts.empty()) throw ConfigError("derive: nothing of axis \"" + name + "\" is chosen");
    x.var = concat(parts, axis);
  }
  return x;
}

Named reduced(Named x, const Json& request) {
  for (const char* how : {"sum", "mean"}) {
    if (!request.contains(how)) continue;
    const std::size_t axis = x.axis(request[how].get<std::string>());
    const auto at = static_cast<std::ptrdiff_t>(axis);
    x.var = how == std::string_view("sum") ? sum(x.var, at) : mean(x.var, at);
    x.axes.erase(x.axes.begin() + at);
  }
  return x;
}

Named shaped(Named x, const Json& request) {
  if (request.contains("select")) x = chosen(std::move(x), request["select"]);
  return reduced(std::move(x), request);
}

}  // namespace

Step derive(Graph& graph, const std::vector<Step>& steps, const Json& request, const std::vector<Step>* other) {
  const auto scope = graph.scope("derived");
  Named x = shaped(read(graph, find(steps, request), request), request);
  if (request.contains("minus")) {
    Json there = request["minus"];
    if (!there.contains("step")) there["step"] = request["step"];
    if (!there.contains("time") && request.contains("time")) there["time"] = request["time"];
    const std::vector<Step>& from = other != nullptr ? *other : steps;
    const Named y = other != nullptr ? foreign(graph, find(from, there), there) : read(graph, find(from, there), there);
    const Named same = shaped(y, request);
    if (same.var.shape() != x.var.shape())
      throw ShapeError("derive: " + x.var.shape().str() + " and " + same.var.shape().str() +
                       " cannot be taken from each other");
    x.var = x.var - same.var;
  }
  const auto name = request.at("name").get<std::string>();
  if (!x.var.node().name.empty()) x.var = reshape(x.var, x.var.shape());  // the step itself keeps its name
  const Var named = graph.name(x.var, name, x.axes);
  return {named.node().name, {&named.node()}, false};
}

void label_derived(const Step& derived, const std::vector<Step>& steps, const Json& request, models::Result& result) {
  const Step& from = find(steps, request);
  const Axes axes = from.axes();
  const Json select = request.value("select", Json::object());
  std::vector<models::Labels> labels;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t size = from.shape()[static_cast<std::ptrdiff_t>(i)];
    auto words = labels_of(from.name, axes[i], size, result);
    if (select.contains(axes[i])) {
      std::vector<std::string> chosen;
      for (const auto index : select[axes[i]].get<std::vector<std::size_t>>())
        chosen.push_back(words.empty() ? std::to_string(index) : words[index]);
      words = std::move(chosen);
    }
    const Axes left = derived.axes();
    const auto at = std::ranges::find(left, axes[i]);
    if (at == left.end()) continue;
    words.resize(std::min(words.size(), derived.shape()[at - left.begin()]));  // a turn may be shorter than the longest
    labels.push_back({derived.name, axes[i], std::move(words), true, named_labels(from.name, axes[i], size, result)});
  }
  std::erase_if(result.labels, [&](const models::Labels& l) { return l.exactly && l.steps == derived.name; });
  result.labels.insert(result.labels.end(), labels.begin(), labels.end());
}

}  // namespace attn::engine
