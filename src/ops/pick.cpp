#include "ops/pick.hpp"

#include <algorithm>

#include "kernels/reduce.hpp"
#include "ops/detail.hpp"

namespace attn {
namespace {

struct LastValid final : Op {
  List<std::size_t> at;
  explicit LastValid(List<std::size_t> a) : at(std::move(a)) {}

  const char* name() const override { return "last_valid"; }

  std::size_t offset(const Tensor& x, std::size_t example) const {
    return (example * x.size(1) + at[example]) * x.size(2);
  }

  void backward(Node& node) const override {
    Node& x = *node.inputs[0];
    if (!x.needs_gradient) return;
    const std::size_t width = x.value.size(2);
    Tensor& sum = x.gradient_sum();
    for (std::size_t b = 0; b < at.size(); ++b)
      kernels::add_to(node.gradient.data() + b * width, sum.data() + offset(x.value, b), width);
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    return node.inputs[0]->ref({cell[0], at[cell[0]], cell[1]});
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    return cell[1] == at[cell[0]] ? node.gradient_ref({cell[0], cell[2]}) : expr::constant(0.0);
  }
};

}  // namespace

Var last_valid(const Var& x, const Var& lengths) {
  if (x.shape().rank() != 3 || lengths.shape() != Shape{x.size(0)})
    throw ShapeError("last_valid: lengths " + lengths.shape().str() + " fit no sequences of shape " + x.shape().str());
  const std::size_t steps = x.size(1), width = x.size(2);
  auto op = std::make_unique<LastValid>(List<std::size_t>());
  for (const float length : lengths.value().values()) {
    const std::size_t n = detail::whole(length, steps + 1, "last_valid: length");
    if (n == 0) throw DataError("last_valid: an empty sequence has no last entry");
    op->at.push_back(n - 1);
  }
  Tensor out({x.size(0), width});
  for (std::size_t b = 0; b < op->at.size(); ++b)
    std::copy_n(x.value().data() + op->offset(x.value(), b), width, out.data() + b * width);
  return x.graph().make(std::move(op), {x, lengths}, std::move(out));
}

}  // namespace attn
