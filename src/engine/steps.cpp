#include "engine/steps.hpp"

#include <algorithm>
#include <map>

#include "graph/edit.hpp"
#include "ops/softmax.hpp"

namespace attn::engine {
namespace {

/// Axes that nobody named, as those of parameters.
Axes default_axes(std::size_t rank) {
  if (rank == 1) return {"entry"};
  if (rank == 2) return {"row", "column"};
  Axes out;
  for (std::size_t i = 0; i < rank; ++i) out.push_back("axis " + std::to_string(i));
  return out;
}

/// The node that made a node's numbers, before they were edited or put under another shape.
const Node& made(const Node& node) {
  const Node* out = &node;
  while (is_edited(*out) || (out->op && out->op->name() == std::string_view("reshape"))) out = out->inputs[0].get();
  return *out;
}

/// 1 for a cell that masked_softmax computed, 0 for one that it hid; all 1 for what another op made.
Tensor mask_of(const Node& node) {
  const Node& weights = made(node);
  const auto seen = seen_keys(weights);
  Tensor out = Tensor::full(node.value.shape(), 1.0F);
  if (seen.empty()) return out;
  const std::size_t keys = weights.value.shape().back();
  for (std::size_t i = 0; i < out.size(); ++i)
    if (i % keys >= seen[i / keys]) out.data()[i] = 0.0F;
  return out;
}

void copy_padded(const Tensor& from, const Shape& to, float* out) {
  if (from.shape() == to) {
    std::ranges::copy(from.values(), out);
    return;
  }
  const Tensor frame = Tensor::zeros(to);
  std::fill_n(out, to.elements(), 0.0F);
  for (std::size_t i = 0; i < from.size(); ++i) out[frame.offset(cell_at(from.shape(), i))] = from.values()[i];
}

}  // namespace

Shape Step::node_shape() const {
  Shape out = nodes[0]->value.shape();
  for (const Node* node : nodes)
    for (std::size_t i = 0; i < out.rank(); ++i) {
      const auto axis = static_cast<std::ptrdiff_t>(i);
      out[axis] = std::max(out[axis], node->value.size(axis));
    }
  return out;
}

Shape Step::shape() const { return stacked ? node_shape().inserted(0, nodes.size()) : node_shape(); }

Axes Step::axes() const {
  Axes out = axes_of(*nodes[0]);
  if (stacked) out.insert(out.begin(), nodes[0]->loop_axis);
  return out;
}

bool Step::has_gradient() const {
  return std::ranges::any_of(nodes, [](const Node* node) { return static_cast<bool>(node->gradient); });
}

bool Step::edited() const {
  return std::ranges::any_of(nodes, [](const Node* node) { return is_edited(*node); });
}

void Step::append(std::vector<float>& out, bool gradient) const {
  const Shape shape = node_shape();
  for (const Node* node : nodes) {
    out.resize(out.size() + shape.elements(), 0.0F);
    const Tensor& tensor = gradient ? node->gradient : node->value;
    if (tensor) copy_padded(tensor, shape, out.data() + out.size() - shape.elements());
  }
}

bool Step::has_mask() const {
  const Shape shape = node_shape();
  return std::ranges::any_of(nodes, [&shape](const Node* node) {
    const Node& weights = made(*node);
    const bool shorter =
        weights.op && weights.op->name() == std::string_view("softmax") && node->value.shape() != shape;
    return shorter || !seen_keys(weights).empty();
  });
}

void Step::append_mask(std::vector<float>& out) const {
  const Shape shape = node_shape();
  for (const Node* node : nodes) {
    out.resize(out.size() + shape.elements(), 0.0F);
    copy_padded(mask_of(*node), shape, out.data() + out.size() - shape.elements());
  }
}

Axes axes_of(const Node& node) {
  return node.axes.size() == node.value.rank() ? node.axes : default_axes(node.value.rank());
}

std::vector<Step> steps_of(const Graph& graph) {
  std::vector<Step> out;
  std::map<std::string, std::size_t> index;
  for (const NodePtr& node : graph.nodes()) {
    if (node->name.empty()) continue;
    const auto [entry, fresh] = index.try_emplace(node->name, out.size());
    if (fresh) out.push_back({node->name, {}, node->turn >= 0});
    out[entry->second].nodes.push_back(node.get());
  }
  return out;
}

bool wanted(const std::string& name, const std::vector<std::string>& want) {
  return std::ranges::any_of(want, [&name](const std::string& w) {
    return w.ends_with('*') ? name.starts_with(w.substr(0, w.size() - 1)) : name == w;
  });
}

namespace {

/// Of several that fit, the last; null if none does.
const models::Labels* fitting(const std::string& step, const std::string& axis, std::size_t size,
                              const models::Result& result) {
  const auto fits = [&](const models::Labels& words) {
    const bool meant = words.exactly ? step == words.steps : step.starts_with(words.steps);
    return meant && words.axis == axis && words.words.size() <= size;
  };
  const auto last = std::find_if(result.labels.rbegin(), result.labels.rend(), fits);
  return last == result.labels.rend() || last->words.empty() ? nullptr : &*last;
}

}  // namespace

std::vector<std::string> labels_of(const std::string& step, const std::string& axis, std::size_t size,
                                   const models::Result& result) {
  const models::Labels* found = fitting(step, axis, size, result);
  if (found == nullptr) return {};
  std::vector<std::string> out = found->words;
  out.resize(size, "<pad>");
  return out;
}

bool named_labels(const std::string& step, const std::string& axis, std::size_t size, const models::Result& result) {
  const models::Labels* found = fitting(step, axis, size, result);
  return found != nullptr && found->named;
}

Json axes_json(const std::string& step, const Axes& names, const Shape& shape, const models::Result& result) {
  Json out = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t size = shape[static_cast<std::ptrdiff_t>(i)];
    out.push_back({{"name", names[i]}, {"size", size}});
    auto labels = labels_of(step, names[i], size, result);
    if (!labels.empty()) out.back()["labels"] = std::move(labels);
    if (named_labels(step, names[i], size, result)) out.back()["named"] = true;
  }
  return out;
}

}  // namespace attn::engine
