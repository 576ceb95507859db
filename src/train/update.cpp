#include "train/update.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/reduce.hpp"

namespace attn::train {
namespace {

/// A node made after the backward pass: it explains itself, and no gradient ever comes back to it.
struct Afterwards final : Op {
  using How = std::function<Expr(const Node&, const Cell&)>;
  const char* label;
  How how;
  Afterwards(const char* l, How h) : label(l), how(std::move(h)) {}

  const char* name() const override { return label; }
  void backward(Node&) const override {}
  Explanation explain(const Node& node, const Cell& cell) const override { return how(node, cell); }
  Explanation explain_gradient(const Node&, std::size_t, const Cell&) const override { return expr::constant(0.0); }
};

Var afterwards(const char* op, const Vars& inputs, Tensor value, Afterwards::How how) {
  Graph& graph = inputs.front().graph();
  Var out = graph.make(std::make_unique<Afterwards>(op, std::move(how)), inputs, std::move(value));
  out.node().needs_gradient = false;
  return out;
}

/// Shapes and axes of a step that is as large as the parameter.
Var like(const Var& weight, const Var& var, std::string_view name) {
  return var.graph().name(var, name, weight.node().axes);
}

// ---- the gradient, and clipping

Var gradient_of(const Var& weight) {
  return afterwards("gradient", {weight}, weight.gradient(),
                    [](const Node& node, const Cell& cell) { return node.inputs[0]->gradient_ref(cell); });
}

std::vector<Change> changes_of(Graph& graph) {
  std::vector<Change> out;
  const std::size_t count = graph.nodes().size();  // more come while they are named
  for (std::size_t i = 0; i < count; ++i) {
    Parameter* parameter = graph.nodes()[i]->parameter;
    if (parameter == nullptr) continue;
    const Var weight = graph.parameter(*parameter);  // the edited one, where it was edited
    if (!weight.gradient()) continue;
    const auto scope = graph.scope(parameter->name);
    out.push_back({parameter, weight, like(weight, gradient_of(weight), "gradient")});
  }
  if (out.empty()) throw ConfigError("run: what the backward pass started from depends on no parameter");
  return out;
}

/// Σ g² along the last axis: [..., n] -> [...].
Var squares_of(const Var& gradient) {
  const std::size_t n = gradient.shape().back();
  Tensor out(gradient.shape().erased(gradient.shape().rank() - 1));
  for (std::size_t row = 0; row < out.size(); ++row)
    out.data()[row] = static_cast<float>(kernels::sum_of_squares(gradient.value().data() + row * n, n));
  return afterwards("sum_of_squares", {gradient}, std::move(out), [n](const Node& node, Cell cell) {
    std::vector<Expr> terms;
    for (cell.push_back(0); cell.back() < n; ++cell.back())
      terms.push_back(expr::apply(Expr::Kind::square, node.inputs[0]->ref(cell)));
    return expr::add(std::move(terms));
  });
}

Var total_of(const Var& squares) {
  double total = 0.0;
  for (const float x : squares.value().values()) total += x;
  return afterwards("sum", {squares}, Tensor::scalar(static_cast<float>(total)), [](const Node& node, const Cell&) {
    const Node& x = *node.inputs[0];
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < x.value.size(); ++i) terms.push_back(x.ref(cell_at(x.value.shape(), i)));
    return expr::add(std::move(terms));
  });
}

/// Of a matrix in two steps, each short enough to be read.
Var sum_of_squares(const Var& gradient) {
  Graph& graph = gradient.graph();
  Var sum = squares_of(gradient);
  if (sum.shape().rank() > 0) sum = total_of(graph.name(sum, "squares", {"row"}));
  return graph.name(sum, "sum_of_squares", {});
}

Var norm_of(const std::vector<Change>& changes) {
  Vars squares;
  std::vector<Tensor> gradients;
  for (const Change& c : changes) {
    const auto scope = c.weight.graph().scope(c.parameter->name);
    squares.push_back(sum_of_squares(c.gradient));
    gradients.push_back(c.gradient.value());
  }
  const double norm = gradient_norm(gradients);
  if (!std::isfinite(norm)) throw Error("run: a gradient is no longer a finite number; training would stop here");
  const Var out =
      afterwards("norm", squares, Tensor::scalar(static_cast<float>(norm)), [](const Node& node, const Cell&) {
        std::vector<Expr> terms;
        for (const NodePtr& input : node.inputs) terms.push_back(input->ref({}));
        return expr::apply(Expr::Kind::sqrt, expr::add(std::move(terms)));
      });
  return out.graph().name(out, "norm", {});
}

Var clip_of(const Var& norm, double limit) {
  const auto factor = static_cast<float>(clip_factor(limit, norm.value().item()));
  const Var out = afterwards("clip", {norm}, Tensor::scalar(factor), [limit](const Node& node, const Cell&) {
    const Expr most = expr::constant(limit, "limit");
    return expr::div(most, expr::max({most, node.inputs[0]->ref({})}));
  });
  return norm.graph().name(out, "clip", {});
}

Var clipped(const Var& gradient, const Var& factor) {
  Tensor out = gradient.value().copy();
  kernels::scale(factor.value().item(), out.data(), out.size());
  return afterwards("scale", {factor, gradient}, std::move(out), [](const Node& node, const Cell& cell) {
    return expr::mul({node.inputs[0]->ref({}), node.inputs[1]->ref(cell)});
  });
}

void clip(std::vector<Change>& changes, double limit) {
  const Var factor = clip_of(norm_of(changes), limit);
  for (Change& c : changes) {
    const auto scope = c.weight.graph().scope(c.parameter->name);
    c.gradient = like(c.weight, clipped(c.gradient, factor), "clipped");
  }
}

// ---- Adam

Expr one_minus(Expr x) { return expr::sub(expr::constant(1.0), std::move(x)); }

/// 1 − βᵗ: what a moment that began at 0 is divided by.
Var correction(const Var& t, double beta, const char* symbol) {
  const double value = 1.0 - std::pow(beta, t.value().item());
  return afterwards("bias_correction", {t}, Tensor::scalar(static_cast<float>(value)),
                    [b = expr::constant(beta, symbol)](const Node& node, const Cell&) {
                      return one_minus(expr::pow(b, node.inputs[0]->ref({})));
                    });
}

/// β · before + (1 − β) · g, or with g² in place of g.
Var moment(const Var& before, const Var& gradient, double beta, const char* symbol, bool squared) {
  Tensor out(before.shape());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double g = gradient.value().data()[i];
    out.data()[i] = static_cast<float>(beta * before.value().data()[i] + (1.0 - beta) * (squared ? g * g : g));
  }
  const Expr b = expr::constant(beta, symbol);
  return afterwards("moment", {before, gradient}, std::move(out), [b, squared](const Node& node, const Cell& cell) {
    Expr g = node.inputs[1]->ref(cell);
    if (squared) g = expr::apply(Expr::Kind::square, std::move(g));
    return expr::add({expr::mul({b, node.inputs[0]->ref(cell)}), expr::mul({one_minus(b), std::move(g)})});
  });
}

Var corrected(const Var& moment, const Var& correction) {
  Tensor out(moment.shape());
  const float divisor = correction.value().item();
  std::ranges::transform(moment.value().values(), out.data(), [divisor](float x) { return x / divisor; });
  return afterwards("corrected", {moment, correction}, std::move(out), [](const Node& node, const Cell& cell) {
    return expr::div(node.inputs[0]->ref(cell), node.inputs[1]->ref({}));
  });
}

Var adam_value(const Var& weight, const Var& m_hat, const Var& v_hat, double rate) {
  Tensor out(weight.shape());
  for (std::size_t i = 0; i < out.size(); ++i)
    out.data()[i] = static_cast<float>(weight.value().data()[i] -
                                       rate * m_hat.value().data()[i] /
                                           (std::sqrt(static_cast<double>(v_hat.value().data()[i])) + Adam::kEpsilon));
  return afterwards("adam", {weight, m_hat, v_hat}, std::move(out), [rate](const Node& node, const Cell& cell) {
    Expr root = expr::apply(Expr::Kind::sqrt, node.inputs[2]->ref(cell));
    Expr change = expr::div(expr::mul({expr::constant(rate, "η"), node.inputs[1]->ref(cell)}),
                            expr::add({std::move(root), expr::constant(Adam::kEpsilon, "ε")}));
    return expr::sub(node.inputs[0]->ref(cell), std::move(change));
  });
}

}  // namespace

void Sgd::record(Graph& graph, const std::vector<Change>& changes) const {
  for (const Change& c : changes) {
    const auto scope = graph.scope(c.parameter->name);
    Tensor value = c.weight.value().copy();
    kernels::add_scaled(-rate_, c.gradient.value().data(), value.data(), value.size());
    const Var out =
        afterwards("sgd", {c.weight, c.gradient}, std::move(value), [rate = rate_](const Node& node, const Cell& cell) {
          return expr::sub(node.inputs[0]->ref(cell),
                           expr::mul({expr::constant(rate, "η"), node.inputs[1]->ref(cell)}));
        });
    like(c.weight, out, "value");
  }
}

void Adam::record(Graph& graph, const std::vector<Change>& changes) const {
  const Var t = graph.input("t", {}, Tensor::scalar(static_cast<float>(steps_ + 1)));
  const Var first = graph.name(correction(t, kBeta1, "β₁"), "correction1", {});
  const Var second = graph.name(correction(t, kBeta2, "β₂"), "correction2", {});
  for (const Change& c : changes) {
    const auto scope = graph.scope(c.parameter->name);
    const auto named = [&](const Var& var, const char* name) { return like(c.weight, var, name); };
    const Moments& before = moments_of(*c.parameter);
    const Var m_before = named(graph.constant(before.m.copy()), "m_before");
    const Var v_before = named(graph.constant(before.v.copy()), "v_before");
    const Var m = named(moment(m_before, c.gradient, kBeta1, "β₁", false), "m");
    const Var v = named(moment(v_before, c.gradient, kBeta2, "β₂", true), "v");
    const Var m_hat = named(corrected(m, first), "m_hat"), v_hat = named(corrected(v, second), "v_hat");
    named(adam_value(c.weight, m_hat, v_hat, rate_), "value");
  }
}

void record_update(Graph& graph, const Optimizer& optimizer, double limit) {
  const auto scope = graph.scope("update");
  std::vector<Change> changes = changes_of(graph);
  if (limit > 0.0) clip(changes, limit);
  optimizer.record(graph, changes);
}

}  // namespace attn::train
