#include "ops/functions.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise.hpp"

namespace attn {
namespace {

/// An elementwise function y of x and its derivative, told by x, y or both: the forward line and its inverse, side by side.
struct Function {
  Expr::Kind kind;
  void (*forward)(const float* x, float* y, std::size_t n);
  float (*slope)(float x, float y);
  Expr (*explain_slope)(const Expr& x, const Expr& y);
  void (*backward)(const float* y, const float* dy, float* dx,
                   std::size_t n) = nullptr;  // all at once, where it counts
};

Expr one_minus(const Expr& e) { return expr::sub(expr::constant(1.0), e); }

Expr one_over(const Expr& e) { return expr::div(expr::constant(1.0), e); }
Expr number(double value) { return expr::constant(value); }

/// A forward pass, one number at a time: for functions that no model spends its time in.
template <float (*f)(float)>
void each(const float* x, float* y, std::size_t n) {
  std::transform(x, x + n, y, f);
}

float negative(float x) { return 0.0F - x; }  // 0 stays 0, not −0
float logarithm(float x) { return std::log(x); }
float root(float x) { return std::sqrt(x); }
float distance(float x) { return std::abs(x); }
float positive(float x) { return x > 0.0F ? 1.0F : 0.0F; }
float sign(float x) { return x > 0.0F ? 1.0F : (x < 0.0F ? -1.0F : 0.0F); }
// In double: float sines differ from one C library to the next.
float sine(float x) { return static_cast<float>(std::sin(static_cast<double>(x))); }
float cosine(float x) { return static_cast<float>(std::cos(static_cast<double>(x))); }

using Kind = Expr::Kind;

constexpr Function kNeg{Kind::neg, each<negative>, [](float, float) { return -1.0F; },
                        [](const Expr&, const Expr&) { return number(-1.0); }};
constexpr Function kExp{Kind::exp, kernels::exp, [](float, float y) { return y; },
                        [](const Expr&, const Expr& y) { return y; }, kernels::exp_backward};
constexpr Function kLog{Kind::log, each<logarithm>, [](float x, float) { return 1.0F / x; },
                        [](const Expr& x, const Expr&) { return one_over(x); }};
constexpr Function kSqrt{Kind::sqrt, each<root>, [](float, float y) { return 0.5F / y; },
                         [](const Expr&, const Expr& y) { return expr::div(number(0.5), y); }};
constexpr Function kSin{Kind::sin, each<sine>, [](float x, float) { return cosine(x); },
                        [](const Expr& x, const Expr&) { return expr::apply(Kind::cos, x); }};
constexpr Function kCos{Kind::cos, each<cosine>, [](float x, float) { return -sine(x); },
                        [](const Expr& x, const Expr&) { return expr::apply(Kind::neg, expr::apply(Kind::sin, x)); }};
constexpr Function kTanh{Kind::tanh, kernels::tanh, [](float, float y) { return 1.0F - y * y; },
                         [](const Expr&, const Expr& y) { return one_minus(expr::apply(Kind::square, y)); },
                         kernels::tanh_backward};
constexpr Function kSigmoid{Kind::sigmoid, kernels::sigmoid, [](float, float y) { return y * (1.0F - y); },
                            [](const Expr&, const Expr& y) {
                              return expr::mul({y, one_minus(y)});
                            },
                            kernels::sigmoid_backward};
constexpr Function kRelu{Kind::relu, kernels::relu, [](float, float y) { return y > 0.0F ? 1.0F : 0.0F; },
                         [](const Expr&, const Expr& y) { return number(y.value > 0.0 ? 1.0 : 0.0); },
                         kernels::relu_backward};
constexpr Function kAbs{Kind::abs, each<distance>, [](float x, float) { return sign(x); },
                        [](const Expr& x, const Expr&) { return number(sign(static_cast<float>(x.value))); }};
constexpr Function kStep{Kind::step, each<positive>, [](float, float) { return 0.0F; },
                         [](const Expr&, const Expr&) { return number(0.0); }};

struct Apply final : Op {
  const Function& f;
  explicit Apply(const Function& function) : f(function) {}

  const char* name() const override { return to_string(f.kind); }

  void backward(Node& node) const override {
    Tensor dx(node.value.shape());
    const float *x = node.inputs[0]->value.data(), *y = node.value.data(), *dy = node.gradient.data();
    if (f.backward != nullptr)
      f.backward(y, dy, dx.data(), dx.size());
    else
      for (std::size_t i = 0; i < dx.size(); ++i) dx.data()[i] = dy[i] * f.slope(x[i], y[i]);
    node.inputs[0]->add_gradient(dx);
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    return expr::apply(f.kind, node.inputs[0]->ref(cell));
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    return expr::mul({node.gradient_ref(cell), f.explain_slope(node.inputs[0]->ref(cell), node.ref(cell))});
  }
};

Var apply(const Function& f, const Var& x) {
  Tensor y(x.shape());
  f.forward(x.value().data(), y.data(), y.size());
  return x.graph().make(std::make_unique<Apply>(f), {x}, std::move(y));
}

}  // namespace

Var neg(const Var& x) { return apply(kNeg, x); }
Var exp(const Var& x) { return apply(kExp, x); }
Var log(const Var& x) { return apply(kLog, x); }
Var sqrt(const Var& x) { return apply(kSqrt, x); }
Var sin(const Var& x) { return apply(kSin, x); }
Var cos(const Var& x) { return apply(kCos, x); }
Var tanh(const Var& x) { return apply(kTanh, x); }
Var sigmoid(const Var& x) { return apply(kSigmoid, x); }
Var relu(const Var& x) { return apply(kRelu, x); }
Var abs(const Var& x) { return apply(kAbs, x); }
Var step(const Var& x) { return apply(kStep, x); }

}  // namespace attn
