#include "graph/edit.hpp"

#include <cmath>

namespace attn {
namespace {

struct EditOp final : Op {
  std::vector<bool> changed;  // by offset

  const char* name() const override { return "edit"; }

  void backward(Node& node) const override {
    Node& x = *node.inputs[0];
    if (!x.needs_gradient) return;
    Tensor& sum = x.gradient_sum();
    for (std::size_t i = 0; i < changed.size(); ++i)
      if (!changed[i]) sum.data()[i] += node.gradient.data()[i];
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    if (changed[node.value.offset(cell)]) return expr::constant(node.value.at(cell), "edited");
    return node.inputs[0]->ref(cell);
  }

  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    if (changed[node.value.offset(cell)]) return expr::constant(0.0, "edited");
    return node.gradient_ref(cell);
  }
};

std::size_t offset_of(const Edit& edit, const std::string& step, const Tensor& value) {
  try {
    return value.offset(edit.cell);
  } catch (const ShapeError& error) {
    throw ShapeError("edit of " + step + ": " + error.what());
  }
}

void apply(const Edit& edit, const std::string& step, Tensor& value, std::vector<bool>& changed) {
  const auto set = [&](std::size_t offset, float x) {
    if (!std::isfinite(x)) throw DataError("edit of " + step + ": values are finite numbers");
    changed[offset] = changed[offset] || value.data()[offset] != x;
    value.data()[offset] = x;
  };
  if (edit.values.empty()) return set(offset_of(edit, step, value), edit.value);
  if (edit.values.size() != value.size())
    throw ShapeError("edit of " + step + ": its shape is " + value.shape().str() + ", " +
                     std::to_string(edit.values.size()) + " values were given");
  for (std::size_t i = 0; i < edit.values.size(); ++i) set(i, edit.values[i]);
}

}  // namespace

Var edited(const Var& var, const std::string& step, const std::vector<const Edit*>& edits) {
  auto op = std::make_unique<EditOp>();
  op->changed.assign(var.value().size(), false);
  Tensor value = var.value().copy();
  for (const Edit* edit : edits) apply(*edit, step, value, op->changed);
  const Var out = var.graph().make(std::move(op), {var}, std::move(value));
  out.node().name = step;
  out.node().axes = var.node().axes;
  return out;
}

bool is_edited(const Node& node) { return dynamic_cast<const EditOp*>(node.op.get()) != nullptr; }

bool is_edited(const Node& node, const Cell& cell) {
  const auto* op = dynamic_cast<const EditOp*>(node.op.get());
  return op != nullptr && op->changed[node.value.offset(cell)];
}

}  // namespace attn
