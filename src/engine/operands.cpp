#include "engine/operands.hpp"

#include <algorithm>

#include "engine/explain.hpp"
#include "engine/steps.hpp"
#include "graph/edit.hpp"

namespace attn::engine {
namespace {

constexpr int kDepth = 3;  // of unnamed operands within each other

/// A node without a name that only moves the numbers of its one operand.
bool only_moves(const Graph& graph, const Node& node) {
  if (!node.name.empty() || node.inputs.size() != 1 || node.value.size() == 0) return false;
  Cell first(node.value.rank(), 0);
  return moved_from(graph, node, first) != nullptr;
}

/// The axes of its operand along which a mover's cell wanders from one end of its own axis to the other.
std::vector<std::size_t> followed(const Graph& graph, const Node& node, std::size_t axis) {
  Cell first(node.value.rank(), 0), last = first;
  last[axis] = node.value.size(static_cast<std::ptrdiff_t>(axis)) - 1;
  moved_from(graph, node, first);
  moved_from(graph, node, last);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] != last[i]) out.push_back(i);
  return out;
}

/// What axes of size 1 are called cannot be seen from where cells come from: they keep their order among what is left over.
void name_single_axes(const Shape& shape, const Shape& from, const Axes& names, Axes& out) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].empty() || shape[static_cast<std::ptrdiff_t>(i)] != 1) continue;
    while (next < names.size() && from[static_cast<std::ptrdiff_t>(next)] != 1) ++next;
    if (next < names.size()) out[i] = names[next++];
  }
}

/// Names of a mover's axes, from those of its operand; "" where there is none: an axis that was split or put in.
Axes moved_axes(const Graph& graph, const Node& node, const Axes& names) {
  if (node.op->name() == std::string_view("slice")) return names;
  const Node& from = *node.inputs[0];
  Axes out;
  for (std::size_t i = 0; i < node.value.rank(); ++i) {
    const auto axes = followed(graph, node, i);
    const bool whole = axes.size() == 1 && std::ranges::find(out, names[axes[0]]) == out.end();
    out.push_back(whole ? names[axes[0]] : "");
  }
  const bool turned = node.op->name() == std::string_view("transpose");
  if (!turned || node.value.rank() == 1) name_single_axes(node.value.shape(), from.value.shape(), names, out);
  return out;
}

Axes read_axes(const Graph& graph, const Node& node) {
  return only_moves(graph, node) ? moved_axes(graph, node, read_axes(graph, *node.inputs[0])) : axes_of(node);
}

Json plain_axes(const Axes& names, const Shape& shape) {
  Json out = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i].empty() ? "axis " + std::to_string(i) : names[i];
    out.push_back({{"name", name}, {"size", shape[static_cast<std::ptrdiff_t>(i)]}});
  }
  return out;
}

Json list(const Graph& graph, const Node& made, int depth);

Json operand(const Graph& graph, const Node& node, int depth) {
  const Node* from = &node;
  while (only_moves(graph, *from)) from = from->inputs[0].get();
  Json out = {{"op", op_name(graph, *from)}, {"axes", plain_axes(read_axes(graph, node), node.value.shape())}};
  if (!from->name.empty())
    out["step"] = from->name;
  else if (from->op && depth > 1)
    out["operands"] = list(graph, *from, depth - 1);
  return out;
}

Json list(const Graph& graph, const Node& made, int depth) {
  Json out = Json::array();
  for (const NodePtr& input : made.inputs) out.push_back(operand(graph, *input, depth));
  return out;
}

}  // namespace

Json operands_json(const Graph& graph, const Node& step) {
  const Node& original = is_edited(step) ? *step.inputs[0] : step;
  Cell first(original.value.rank(), 0);
  return list(graph, *maker(graph, original, first), kDepth);
}

}  // namespace attn::engine
