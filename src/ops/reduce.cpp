#include "ops/reduce.hpp"

#include "kernels/reduce.hpp"
#include "ops/detail.hpp"

namespace attn {
namespace {

struct Sum final : Op {
  float factor;  // 1, or 1/n for a mean
  bool is_mean;
  Sum(float f, bool m) : factor(f), is_mean(m) {}

  const char* name() const override { return is_mean ? "mean" : "sum"; }

  void backward(Node& node) const override {
    Node& x = *node.inputs[0];
    x.add_gradient(Tensor::full(x.value.shape(), factor * node.gradient.item()));
  }
  Explanation explain(const Node& node, const Cell&) const override {
    const Node& x = *node.inputs[0];
    Expr total = detail::sum_over(x.value.size(), [&](std::size_t i) { return x.ref(cell_at(x.value.shape(), i)); });
    return is_mean ? expr::div(std::move(total), expr::constant(static_cast<double>(x.value.size()), "n")) : total;
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell&) const override {
    return is_mean ? expr::mul({expr::constant(factor, "1/n"), node.gradient_ref({})}) : node.gradient_ref({});
  }
};

Var reduce(const Var& x, float factor, bool is_mean) {
  const float total = kernels::sum(x.value().data(), x.value().size());
  return x.graph().make(std::make_unique<Sum>(factor, is_mean), {x}, Tensor::scalar(total * factor));
}

}  // namespace

Var sum(const Var& x) { return reduce(x, 1.0F, false); }

Var mean(const Var& x) {
  if (x.value().size() == 0) throw ShapeError("mean: no elements in shape " + x.shape().str());
  return reduce(x, 1.0F / static_cast<float>(x.value().size()), true);
}

}  // namespace attn
