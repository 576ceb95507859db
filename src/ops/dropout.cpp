#include "ops/dropout.hpp"

#include "kernels/elementwise.hpp"

#include "ops/detail.hpp"

namespace attn {
namespace {

struct Dropout final : Op {
  Tensor mask;  // 0 or 1/(1-p)
  explicit Dropout(Tensor m) : mask(std::move(m)) {}

  const char* name() const override { return "dropout"; }

  static Tensor product(const Tensor& a, const Tensor& b) {
    Tensor out(a.shape());
    kernels::multiply(a.data(), b.data(), out.data(), out.size());
    return out;
  }
  Expr factor(const Cell& cell) const {
    return expr::constant(mask.at(cell), mask.at(cell) > 0.0F ? "1/(1-p)" : "dropped");
  }

  void backward(Node& node) const override { node.inputs[0]->add_gradient(product(node.gradient, mask)); }
  Explanation explain(const Node& node, const Cell& cell) const override {
    return expr::mul({factor(cell), node.inputs[0]->ref(cell)});
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    return expr::mul({factor(cell), node.gradient_ref(cell)});
  }
};

}  // namespace

Var dropout(const Var& x, float p) {
  Tensor mask = detail::dropout_mask(x.graph().options(), x.shape(), p);
  if (!mask) return x;
  Tensor out = Dropout::product(x.value(), mask);
  return x.graph().make(std::make_unique<Dropout>(std::move(mask)), {x}, std::move(out));
}

}  // namespace attn
