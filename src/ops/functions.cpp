#include "ops/functions.hpp"

#include <algorithm>

#include "kernels/elementwise.hpp"

namespace attn {
namespace {

/// An elementwise function whose derivative is told by its own value y: the forward line and its inverse, side by side.
struct Function {
  Expr::Kind kind;
  void (*forward)(const float* x, float* y, std::size_t n);
  float (*slope)(float y);
  Expr (*explain_slope)(const Expr& y);
};

Expr one_minus(const Expr& e) { return expr::sub(expr::constant(1.0), e); }

void relu_forward(const float* x, float* y, std::size_t n) {
  std::transform(x, x + n, y, [](float v) { return std::max(v, 0.0F); });
}

constexpr Function kExp{Expr::Kind::exp, kernels::exp, [](float y) { return y; }, [](const Expr& y) { return y; }};
constexpr Function kTanh{Expr::Kind::tanh, kernels::tanh, [](float y) { return 1.0F - y * y; },
                         [](const Expr& y) { return one_minus(expr::apply(Expr::Kind::square, y)); }};
constexpr Function kSigmoid{Expr::Kind::sigmoid, kernels::sigmoid, [](float y) { return y * (1.0F - y); },
                            [](const Expr& y) {
                              return expr::mul({y, one_minus(y)});
                            }};
constexpr Function kRelu{Expr::Kind::relu, relu_forward, [](float y) { return y > 0.0F ? 1.0F : 0.0F; },
                         [](const Expr& y) { return expr::constant(y.value > 0.0 ? 1.0 : 0.0); }};

struct Apply final : Op {
  const Function& f;
  explicit Apply(const Function& function) : f(function) {}

  const char* name() const override { return to_string(f.kind); }

  void backward(Node& node) const override {
    Tensor dx(node.value.shape());
    std::ranges::transform(node.value.values(), node.gradient.values(), dx.data(),
                           [this](float y, float dy) { return dy * f.slope(y); });
    node.inputs[0]->add_gradient(dx);
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    return expr::apply(f.kind, node.inputs[0]->ref(cell));
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    return expr::mul({node.gradient_ref(cell), f.explain_slope(node.ref(cell))});
  }
};

Var apply(const Function& f, const Var& x) {
  Tensor y(x.shape());
  f.forward(x.value().data(), y.data(), y.size());
  return x.graph().make(std::make_unique<Apply>(f), {x}, std::move(y));
}

}  // namespace

Var exp(const Var& x) { return apply(kExp, x); }
Var tanh(const Var& x) { return apply(kTanh, x); }
Var sigmoid(const Var& x) { return apply(kSigmoid, x); }
Var relu(const Var& x) { return apply(kRelu, x); }

}  // namespace attn
