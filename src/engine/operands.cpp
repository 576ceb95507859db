#include "engine/operands.hpp"

#include <algorithm>

#include "engine/explain.hpp"
#include "engine/steps.hpp"
#include "graph/edit.hpp"
#include "ops/layout.hpp"

namespace attn::engine {
namespace {

constexpr int kDepth = 3;  // of unnamed operands within each other

/// A node that only moves the numbers of its one operand.
bool only_moves(const Graph& graph, const Node& node) {
  if (node.inputs.size() != 1 || node.value.size() == 0 || is_edited(node)) return false;
  Cell first(node.value.rank(), 0);
  return moved_from(graph, node, first) != nullptr;
}

// ---- names of axes, followed through a move. "" is an axis without one: it was put in, or split off.

/// The axes of its operand along which a mover's cell wanders from one end of its own axis to the other.
std::vector<std::size_t> followed(const Graph& graph, const Node& mover, std::size_t axis) {
  Cell first(mover.value.rank(), 0), last = first;
  last[axis] = mover.value.size(static_cast<std::ptrdiff_t>(axis)) - 1;
  moved_from(graph, mover, first);
  moved_from(graph, mover, last);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] != last[i]) out.push_back(i);
  return out;
}

/// The innermost of several names that is not yet taken.
std::string innermost(const std::vector<std::size_t>& axes, const Axes& names, const Axes& taken) {
  for (std::size_t i = axes.size(); i-- > 0;)
    if (std::ranges::find(taken, names[axes[i]]) == taken.end()) return names[axes[i]];
  return "";
}

/// Where cells come from says nothing of axes of size 1: they keep their order among what is left over.
void name_single_axes(const Shape& shape, const Shape& other, const Axes& names, Axes& out) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].empty() || shape[static_cast<std::ptrdiff_t>(i)] != 1) continue;
    while (next < names.size() && other[static_cast<std::ptrdiff_t>(next)] != 1) ++next;
    if (next < names.size()) out[i] = names[next++];
  }
}

/// A mover's axes after those of its operand.
Axes forwards(const Graph& graph, const Node& mover, const Axes& names) {
  if (mover.op->name() == std::string_view("slice")) return names;
  Axes out(mover.value.rank());
  if (const auto order = order_of(mover); !order.empty()) {
    for (std::size_t i = 0; i < order.size(); ++i) out[i] = names[order[i]];
    return out;
  }
  for (std::size_t i = out.size(); i-- > 0;) out[i] = innermost(followed(graph, mover, i), names, out);
  name_single_axes(mover.value.shape(), mover.inputs[0]->value.shape(), names, out);
  return out;
}

/// Its operand's axes after its own.
Axes backwards(const Graph& graph, const Node& mover, const Axes& names) {
  if (mover.op->name() == std::string_view("slice")) return names;
  const Node& from = *mover.inputs[0];
  Axes out(from.value.rank());
  if (const auto order = order_of(mover); !order.empty()) {
    for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = names[i];
    return out;
  }
  std::vector<std::vector<std::size_t>> readers(out.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const std::size_t axis : followed(graph, mover, i)) readers[axis].push_back(i);
  for (std::size_t i = out.size(); i-- > 0;) out[i] = innermost(readers[i], names, out);
  name_single_axes(from.value.shape(), mover.value.shape(), names, out);
  return out;
}

Axes read_axes(const Graph& graph, const Node& node) {
  const bool moved = node.name.empty() && only_moves(graph, node);
  return moved ? forwards(graph, node, read_axes(graph, *node.inputs[0])) : axes_of(node);
}

/// Whether the op computes cell by cell, so that an operand's axes are its own.
bool cell_by_cell(const Node& made, const Node& operand) {
  const std::string_view op = made.op->name();
  const Shape &mine = made.value.shape(), &other = operand.value.shape();
  if (op == "linear" || op.starts_with("matmul") || mine.rank() != other.rank()) return false;
  return std::equal(mine.begin(), mine.end(), other.begin(), [](auto m, auto o) { return o == m || o == 1; });
}

Json axes_json(const Axes& names, const Shape& shape) {
  Json out = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i].empty() ? "axis " + std::to_string(i) : names[i];
    out.push_back({{"name", name}, {"size", shape[static_cast<std::ptrdiff_t>(i)]}});
  }
  return out;
}

// ---- operands

Json operands_json(const Graph& graph, const Node& made, const Axes& axes, int depth);

Json operand_json(const Graph& graph, const Node& made, const Axes& axes, const Node& node, int depth) {
  const Node* from = &node;
  while (from->name.empty() && only_moves(graph, *from)) from = from->inputs[0].get();
  const bool named = !from->name.empty();
  const Axes read = !named && cell_by_cell(made, node) ? axes : read_axes(graph, node);
  Json out = {{"op", op_name(graph, *from)}, {"axes", axes_json(read, node.value.shape())}};
  if (named)
    out["step"] = from->name;
  else if (from->op && depth > 1)
    out["operands"] = operands_json(graph, *from, from == &node ? read : axes_of(*from), depth - 1);
  return out;
}

Json operands_json(const Graph& graph, const Node& made, const Axes& axes, int depth) {
  Json out = Json::array();
  for (const NodePtr& input : made.inputs) out.push_back(operand_json(graph, made, axes, *input, depth));
  return out;
}

}  // namespace

Json origin_json(const Graph& graph, const Node& step) {
  const Node& original = is_edited(step) ? *step.inputs[0] : step;
  Cell first(original.value.rank(), 0);
  const Node* made = maker(graph, original, first);
  const Node* at = &original;
  Axes axes = axes_of(step);
  Json moves = Json::array();
  while (at != made && only_moves(graph, *at)) {
    axes = backwards(graph, *at, axes);
    at = at->inputs[0].get();
    const std::string op = at == made ? op_name(graph, *at) : at->op->name();
    moves.insert(moves.begin(), Json{{"op", op}, {"axes", axes_json(axes, at->value.shape())}});
  }
  if (at != made)
    return {{"operands", operands_json(graph, *made, axes_of(*made), kDepth)}};  // of one of several parts
  Json out = {{"operands", operands_json(graph, *made, axes, kDepth)}};
  if (!moves.empty()) out["moves"] = std::move(moves);
  return out;
}

}  // namespace attn::engine
