#include "ops/gru.hpp"

#include "kernels/gru.hpp"
#include "kernels/reduce.hpp"
#include "ops/detail.hpp"

namespace attn {
namespace {

struct GruGates final : Op {
  Tensor gates;  // r, z, n
  explicit GruGates(Tensor g) : gates(std::move(g)) {}

  const char* name() const override { return "gru_gates"; }

  void backward(Node& node) const override {
    Node &gi = *node.inputs[0], &gh = *node.inputs[1], &h = *node.inputs[2];
    Tensor dgi(gi.value.shape()), dgh(gh.value.shape()), dh = Tensor::zeros(h.value.shape());
    kernels::gru_gates_backward(gh.value.data(), h.value.data(), gates.data(), node.gradient.data(), dgi.data(),
                                dgh.data(), dh.data(), h.value.size(0), h.value.size(1));
    gi.add_gradient(dgi);
    gh.add_gradient(dgh);
    h.add_gradient(dh);
  }

  // Cells: `at` of the hidden state, and the gates that belong to it.
  struct Parts {
    Expr r, z, n, h, gh_n;
  };
  Parts parts(const Node& node, const Cell& cell, Explanation& out) const {
    const Node &gi = *node.inputs[0], &gh = *node.inputs[1];
    const std::size_t hidden = node.value.size(1);
    const auto gate = [&](std::size_t k) { return Cell{cell[0], cell[1] + k * hidden}; };
    const auto part = [&](const char* name, Expr e) {
      out.where.push_back({name, e});
      return expr::name(name, e);
    };
    const auto sum = [&](std::size_t k) { return expr::add({gi.ref(gate(k)), gh.ref(gate(k))}); };
    Parts p;
    p.r = part("r", expr::apply(Expr::Kind::sigmoid, sum(0)));
    p.z = part("z", expr::apply(Expr::Kind::sigmoid, sum(1)));
    p.gh_n = gh.ref(gate(2));
    p.n = part("n", expr::apply(Expr::Kind::tanh, expr::add({gi.ref(gate(2)), expr::mul({p.r, p.gh_n})})));
    p.h = node.inputs[2]->ref(cell);
    return p;
  }
  static Expr one_minus(const Expr& e) { return expr::sub(expr::constant(1.0), e); }

  Explanation explain(const Node& node, const Cell& cell) const override {
    Explanation out;
    const Parts p = parts(node, cell, out);
    out.expr = expr::add({expr::mul({one_minus(p.z), p.n}), expr::mul({p.z, p.h})});
    return out;
  }

  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    const std::size_t hidden = node.value.size(1), gate = input == 2 ? 3 : cell[1] / hidden;
    const Cell at{cell[0], cell[1] % hidden};
    Explanation out;
    const Parts p = parts(node, at, out);
    const Expr dy = node.gradient_ref(at);
    if (gate == 3) return out.expr = expr::mul({dy, p.z}), out;
    const Expr dn = expr::mul({dy, one_minus(p.z), one_minus(expr::apply(Expr::Kind::square, p.n))});
    if (gate == 2) out.expr = input == 0 ? dn : expr::mul({dn, p.r});
    if (gate == 1) out.expr = expr::mul({dy, expr::sub(p.h, p.n), p.z, one_minus(p.z)});
    if (gate == 0) out.expr = expr::mul({dn, p.gh_n, p.r, one_minus(p.r)});
    return out;
  }
};

}  // namespace

Var gru_gates(const Var& from_input, const Var& from_hidden, const Var& hidden) {
  const Shape& shape = hidden.shape();
  if (shape.rank() != 2 || from_input.shape() != Shape{shape[0], 3 * shape[1]} ||
      from_hidden.shape() != from_input.shape())
    throw ShapeError("gru_gates: " + from_input.shape().str() + " and " + from_hidden.shape().str() +
                     " are not three gates of a hidden state " + shape.str());
  Tensor out(shape), gates(from_input.shape());
  kernels::gru_gates(from_input.value().data(), from_hidden.value().data(), hidden.value().data(), gates.data(),
                     out.data(), shape[0], shape[1]);
  return hidden.graph().make(std::make_unique<GruGates>(std::move(gates)), {from_input, from_hidden, hidden},
                             std::move(out));
}

}  // namespace attn
