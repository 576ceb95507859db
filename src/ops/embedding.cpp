#include "ops/embedding.hpp"

#include <algorithm>

#include "kernels/reduce.hpp"
#include "ops/detail.hpp"

namespace attn {
namespace {

struct Embedding final : Op {
  List<std::size_t> rows;  // the row that each id reads
  explicit Embedding(List<std::size_t> r) : rows(std::move(r)) {}

  const char* name() const override { return "embedding"; }

  void backward(Node& node) const override {
    Node& weight = *node.inputs[1];
    if (!weight.needs_gradient) return;
    const std::size_t width = weight.value.size(1);
    Tensor& sum = weight.gradient_sum();
    for (std::size_t i = 0; i < rows.size(); ++i)
      kernels::add_to(node.gradient.data() + i * width, sum.data() + rows[i] * width, width);
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    const std::size_t i = node.value.offset(cell) / node.value.shape().back();
    return node.inputs[1]->ref({rows[i], cell.back()});
  }

  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    std::vector<Expr> shares;
    const std::size_t width = node.value.shape().back();
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] == cell[0]) shares.push_back(node.gradient_ref(cell_at(node.value.shape(), i * width + cell[1])));
    return shares.empty() ? expr::constant(0.0) : expr::add(std::move(shares));
  }
};

}  // namespace

Var embedding(const Var& ids, const Var& weight) {
  if (weight.shape().rank() != 2)
    throw ShapeError("embedding: a table has two axes, not shape " + weight.shape().str());
  const std::size_t width = weight.size(1);
  Tensor out(ids.shape().inserted(ids.shape().rank(), width));
  List<std::size_t> rows;
  rows.reserve(ids.value().size());
  for (float id : ids.value().values()) rows.push_back(detail::whole(id, weight.size(0), "embedding: id"));
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(weight.value().data() + rows[i] * width, width, out.data() + i * width);
  return ids.graph().make(std::make_unique<Embedding>(std::move(rows)), {ids, weight}, std::move(out));
}

}  // namespace attn
