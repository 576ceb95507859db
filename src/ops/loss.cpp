#include "ops/loss.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/softmax.hpp"
#include "ops/detail.hpp"

namespace attn {
namespace {

struct CrossEntropy final : Op {
  List<std::size_t> targets;
  explicit CrossEntropy(List<std::size_t> t) : targets(std::move(t)) {}

  const char* name() const override { return "cross_entropy"; }

  void backward(Node& node) const override {  // d loss / d logit_j = softmax_j - [j = target]
    Node& logits = *node.inputs[0];
    if (!logits.needs_gradient) return;
    const std::size_t width = logits.value.shape().back();
    Tensor dx(logits.value.shape());
    for (std::size_t row = 0; row < targets.size(); ++row) {
      float* out = dx.data() + row * width;
      const float dy = node.gradient.values()[row];
      if (dy == 0.0F) {  // padding: no loss, no gradient
        std::fill_n(out, width, 0.0F);
        continue;
      }
      kernels::softmax_row(logits.value.data() + row * width, out, width, width);
      out[targets[row]] -= 1.0F;
      for (std::size_t j = 0; j < width; ++j) out[j] *= dy;
    }
    logits.add_gradient(dx);
  }

  Expr total(const Node& node, const Cell& row) const {  // Σ exp(logit)
    const Node& logits = *node.inputs[0];
    return detail::sum_over(logits.value.shape().back(), [&](std::size_t j) {
      Cell at = row;
      at.push_back(j);
      return expr::apply(Expr::Kind::exp, logits.ref(at));
    });
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    Cell at = cell;
    at.push_back(targets[node.value.offset(cell)]);
    return expr::sub(expr::apply(Expr::Kind::log, total(node, cell)), node.inputs[0]->ref(at));
  }

  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    const Cell row(cell.begin(), cell.end() - 1);
    Expr p = expr::div(expr::apply(Expr::Kind::exp, node.inputs[0]->ref(cell)), total(node, row));
    const double hit = targets[node.value.offset(row)] == cell.back() ? 1.0 : 0.0;
    return expr::mul({node.gradient_ref(row), expr::sub(std::move(p), expr::constant(hit, "target"))});
  }
};

}  // namespace

Var cross_entropy(const Var& logits, const Var& targets) {
  const Shape& shape = logits.shape();
  if (shape.rank() == 0 || shape.erased(shape.rank() - 1) != targets.shape())
    throw ShapeError("cross_entropy: logits " + shape.str() + " and targets " + targets.shape().str() + " do not fit");
  const std::size_t width = shape.back();
  List<std::size_t> wanted;
  for (float target : targets.value().values()) wanted.push_back(detail::whole(target, width, "cross_entropy: target"));
  Tensor out(targets.shape());
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    const float* x = logits.value().data() + row * width;
    out.data()[row] = kernels::log_sum_exp(x, width) - x[wanted[row]];
  }
  return logits.graph().make(std::make_unique<CrossEntropy>(std::move(wanted)), {logits, targets}, std::move(out));
}

}  // namespace attn
