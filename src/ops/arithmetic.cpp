#include "ops/arithmetic.hpp"

#include <cmath>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xvectorize.hpp>

#include "kernels/elementwise.hpp"
#include "ops/detail.hpp"
#include "tensor/array.hpp"

namespace attn {
namespace {

using detail::broadcast_cell;
using kernels::Pairing;

template <class F>
Tensor combine(const char* op, const Tensor& a, const Tensor& b, F&& f) {
  Tensor out(broadcast(op, a.shape(), b.shape()));
  xt::noalias(array(out)) = f(array(a), array(b));
  return out;
}

Tensor combine(const char* name, kernels::Pairing op, const Tensor& a, const Tensor& b) {
  Tensor out(broadcast(name, a.shape(), b.shape()));
  const detail::BroadcastRows rows(out.shape(), a.shape(), b.shape());
  rows.each([&](std::size_t at, std::size_t x, std::size_t y) {
    kernels::combine(op, a.data() + x, rows.a_step, b.data() + y, rows.b_step, out.data() + at, rows.length);
  });
  return out;
}

/// The gradient of a broadcast operand's cell: the share of every output cell that read it.
template <class F>
Expr over_readers(const Node& node, std::size_t input, const Cell& cell, F&& share) {
  const auto cells = detail::readers(node.value.shape(), node.inputs[input]->value.shape(), cell);
  return detail::sum_over(cells.size(), [&](std::size_t i) { return share(cells[i]); });
}

struct Add final : Op {
  float sign;  // of b
  explicit Add(float s) : sign(s) {}

  const char* name() const override { return sign > 0 ? "add" : "sub"; }

  void backward(Node& node) const override {
    Node &a = *node.inputs[0], &b = *node.inputs[1];
    if (a.needs_gradient) a.add_gradient(detail::sum_to(node.gradient, a.value.shape()));
    if (!b.needs_gradient) return;
    const Tensor db = detail::sum_to(node.gradient, b.value.shape());
    if (sign > 0) return b.add_gradient(db);
    Tensor negative(db.shape());
    xt::noalias(array(negative)) = -array(db);
    b.add_gradient(negative);
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    const Node &a = *node.inputs[0], &b = *node.inputs[1];
    Expr x = a.ref(broadcast_cell(cell, a.value.shape())), y = b.ref(broadcast_cell(cell, b.value.shape()));
    return sign > 0 ? expr::add({x, y}) : expr::sub(x, y);
  }

  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    Expr sum = over_readers(node, input, cell, [&](const Cell& reader) { return node.gradient_ref(reader); });
    return input == 1 && sign < 0 ? expr::apply(Expr::Kind::neg, sum) : sum;
  }
};

struct Mul final : Op {
  const char* name() const override { return "mul"; }

  void backward(Node& node) const override {
    for (std::size_t i : {0U, 1U}) {
      Node &x = *node.inputs[i], &other = *node.inputs[1 - i];
      if (!x.needs_gradient) continue;
      const Tensor share = combine("mul", Pairing::multiply, node.gradient, other.value);
      x.add_gradient(detail::sum_to(share, x.value.shape()));
    }
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    const Node &a = *node.inputs[0], &b = *node.inputs[1];
    return expr::mul({a.ref(broadcast_cell(cell, a.value.shape())), b.ref(broadcast_cell(cell, b.value.shape()))});
  }

  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    const Node& other = *node.inputs[1 - input];
    return over_readers(node, input, cell, [&](const Cell& reader) {
      return expr::mul({node.gradient_ref(reader), other.ref(broadcast_cell(reader, other.value.shape()))});
    });
  }
};

/// A function of two operands, cell by cell, told by its value and its two slopes as numbers and as expressions.
struct Pairwise {
  const char* name;
  float (*value)(float a, float b);
  float (*slope)(float a, float b, std::size_t of);
  Expr (*explain)(Expr a, Expr b);
  Expr (*explain_slope)(Expr a, Expr b, std::size_t of);
};

/// 1 for the operand that was taken, 0 for the other, 1/2 where they are equal.
float taken(float mine, float other) { return mine > other ? 1.0F : (mine == other ? 0.5F : 0.0F); }

float power_slope(float a, float b, std::size_t of) {
  if (of == 0) return b == 0.0F ? 0.0F : b * std::pow(a, b - 1.0F);
  return a > 0.0F ? std::pow(a, b) * std::log(a) : 0.0F;
}

Expr explain_power_slope(Expr a, Expr b, std::size_t of) {
  if (of == 0 && b.value == 0.0) return expr::constant(0.0);
  if (of == 1 && !(a.value > 0.0)) return expr::constant(0.0);
  if (of == 0) return expr::mul({b, expr::pow(std::move(a), expr::sub(b, expr::constant(1.0)))});
  return expr::mul({expr::pow(a, std::move(b)), expr::apply(Expr::Kind::log, a)});
}

constexpr Pairwise kDiv{"div", [](float a, float b) { return a / b; },
                        [](float a, float b, std::size_t of) { return of == 0 ? 1.0F / b : -a / (b * b); },
                        [](Expr a, Expr b) { return expr::div(std::move(a), std::move(b)); },
                        [](Expr a, Expr b, std::size_t of) {
                          if (of == 0) return expr::div(expr::constant(1.0), std::move(b));
                          return expr::apply(Expr::Kind::neg,
                                             expr::div(std::move(a), expr::apply(Expr::Kind::square, std::move(b))));
                        }};
constexpr Pairwise kMax{
    "max", [](float a, float b) { return a < b ? b : a; },
    [](float a, float b, std::size_t of) { return of == 0 ? taken(a, b) : taken(b, a); },
    [](Expr a, Expr b) {
      return expr::max({std::move(a), std::move(b)});
    },
    [](Expr a, Expr b, std::size_t of) {
      return expr::constant(kMax.slope(static_cast<float>(a.value), static_cast<float>(b.value), of));
    }};
constexpr Pairwise kMin{
    "min", [](float a, float b) { return b < a ? b : a; },
    [](float a, float b, std::size_t of) { return of == 0 ? taken(-a, -b) : taken(-b, -a); },
    [](Expr a, Expr b) {
      return expr::min({std::move(a), std::move(b)});
    },
    [](Expr a, Expr b, std::size_t of) {
      return expr::constant(kMin.slope(static_cast<float>(a.value), static_cast<float>(b.value), of));
    }};
constexpr Pairwise kPow{"pow", [](float a, float b) { return std::pow(a, b); }, power_slope,
                        [](Expr a, Expr b) { return expr::pow(std::move(a), std::move(b)); }, explain_power_slope};

struct Pair final : Op {
  const Pairwise& f;
  explicit Pair(const Pairwise& function) : f(function) {}

  const char* name() const override { return f.name; }

  void backward(Node& node) const override {
    const Tensor &a = node.inputs[0]->value, &b = node.inputs[1]->value;
    for (std::size_t i : {0U, 1U}) {
      Node& x = *node.inputs[i];
      if (!x.needs_gradient) continue;
      Tensor share = combine(f.name, a, b, xt::vectorize([this, i](float p, float q) { return f.slope(p, q, i); }));
      array(share) *= array(node.gradient);
      x.add_gradient(detail::sum_to(share, x.value.shape()));
    }
  }

  Expr operand(const Node& node, std::size_t i, const Cell& cell) const {
    return node.inputs[i]->ref(broadcast_cell(cell, node.inputs[i]->value.shape()));
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    return f.explain(operand(node, 0, cell), operand(node, 1, cell));
  }
  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    return over_readers(node, input, cell, [&](const Cell& at) {
      return expr::mul({node.gradient_ref(at), f.explain_slope(operand(node, 0, at), operand(node, 1, at), input)});
    });
  }
};

Var pairwise(const Pairwise& f, const Var& a, const Var& b) {
  Tensor out = combine(f.name, a.value(), b.value(), xt::vectorize(f.value));
  return a.graph().make(std::make_unique<Pair>(f), {a, b}, std::move(out));
}

struct Scale final : Op {
  float factor;
  std::string symbol;
  Scale(float f, std::string s) : factor(f), symbol(std::move(s)) {}

  const char* name() const override { return "scale"; }

  void backward(Node& node) const override {
    Tensor dx(node.value.shape());
    xt::noalias(array(dx)) = array(node.gradient) * factor;
    node.inputs[0]->add_gradient(dx);
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    return expr::mul({expr::constant(factor, symbol), node.inputs[0]->ref(cell)});
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    return expr::mul({expr::constant(factor, symbol), node.gradient_ref(cell)});
  }
};

struct Square final : Op {
  const char* name() const override { return "square"; }

  void backward(Node& node) const override {
    Tensor dx(node.value.shape());
    xt::noalias(array(dx)) = 2.0F * array(node.inputs[0]->value) * array(node.gradient);
    node.inputs[0]->add_gradient(dx);
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    return expr::apply(Expr::Kind::square, node.inputs[0]->ref(cell));
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    return expr::mul({expr::constant(2.0), node.inputs[0]->ref(cell), node.gradient_ref(cell)});
  }
};

}  // namespace

Var add(const Var& a, const Var& b) {
  Tensor out = combine("add", Pairing::add, a.value(), b.value());
  return a.graph().make(std::make_unique<Add>(1.0F), {a, b}, std::move(out));
}

Var sub(const Var& a, const Var& b) {
  Tensor out = combine("sub", Pairing::subtract, a.value(), b.value());
  return a.graph().make(std::make_unique<Add>(-1.0F), {a, b}, std::move(out));
}

Var mul(const Var& a, const Var& b) {
  Tensor out = combine("mul", Pairing::multiply, a.value(), b.value());
  return a.graph().make(std::make_unique<Mul>(), {a, b}, std::move(out));
}

Var div(const Var& a, const Var& b) { return pairwise(kDiv, a, b); }
Var max(const Var& a, const Var& b) { return pairwise(kMax, a, b); }
Var min(const Var& a, const Var& b) { return pairwise(kMin, a, b); }
Var pow(const Var& a, const Var& b) { return pairwise(kPow, a, b); }

Var scale(const Var& x, float factor, const std::string& symbol) {
  Tensor out(x.shape());
  xt::noalias(array(out)) = array(x.value()) * factor;
  return x.graph().make(std::make_unique<Scale>(factor, symbol), {x}, std::move(out));
}

Var square(const Var& x) {
  Tensor out(x.shape());
  xt::noalias(array(out)) = array(x.value()) * array(x.value());
  return x.graph().make(std::make_unique<Square>(), {x}, std::move(out));
}

}  // namespace attn
