#include "ops/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/softmax.hpp"
#include "ops/detail.hpp"

namespace attn {
namespace {

using detail::kBookMask;

struct MaskedSoftmax final : Op {
  List<std::size_t> valid;  // of each row; empty: all keys of all rows
  MaskRule rule;
  explicit MaskedSoftmax(List<std::size_t> v = {}, MaskRule r = MaskRule::correct) : valid(std::move(v)), rule(r) {}

  const char* name() const override { return valid.empty() ? "softmax" : "masked_softmax"; }

  std::size_t seen(std::size_t row, std::size_t keys) const { return valid.empty() ? keys : valid[row]; }

  void forward(const Tensor& x, Tensor& y) const {
    const std::size_t keys = x.shape().back(), rows = x.size() / keys;
    std::vector<float> masked(rule == MaskRule::book ? keys : 0);
    for (std::size_t row = 0; row < rows; ++row) {
      const float* in = x.data() + row * keys;
      float* out = y.data() + row * keys;
      if (rule == MaskRule::correct) {
        kernels::softmax_row(in, out, keys, seen(row, keys));
        continue;
      }
      std::fill(std::copy_n(in, seen(row, keys), masked.begin()), masked.end(), kBookMask);
      kernels::softmax_row(masked.data(), out, keys, keys);
    }
  }

  void backward(Node& node) const override {
    Node& x = *node.inputs[0];
    if (!x.needs_gradient) return;
    const std::size_t keys = node.value.shape().back(), rows = node.value.size() / keys;
    Tensor dx = Tensor::zeros(node.value.shape());
    for (std::size_t row = 0; row < rows; ++row) {  // a hidden score has no gradient, under either rule
      const std::size_t at = row * keys;
      kernels::softmax_row_backward(node.value.data() + at, node.gradient.data() + at, dx.data() + at, keys);
      std::fill(dx.data() + at + seen(row, keys), dx.data() + at + keys, 0.0F);
    }
    x.add_gradient(dx);
  }

  std::size_t row_of(const Node& node, const Cell& cell) const {
    return node.value.offset(cell) / node.value.shape().back();
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    const Node& x = *node.inputs[0];
    const std::size_t keys = node.value.shape().back(), visible = seen(row_of(node, cell), keys);
    if (rule == MaskRule::correct && cell.back() >= visible) return expr::constant(0.0, "masked");
    const auto score = [&](std::size_t key) {
      return key < visible ? x.ref(detail::with(cell, -1, key)) : expr::constant(kBookMask, "masked");
    };
    const std::size_t count = rule == MaskRule::correct ? visible : keys;
    std::vector<Expr> scores;
    for (std::size_t key = 0; key < count; ++key) scores.push_back(score(key));
    return normalised(scores, cell.back());
  }

  /// e^s / Σ e^s as long as that stays in range; else the largest score is subtracted first, as the kernel always does.
  static Explanation normalised(const std::vector<Expr>& scores, std::size_t at) {
    Explanation out;
    const Expr largest = expr::max(scores);
    const bool shift = std::ranges::any_of(scores, [](const Expr& s) { return std::abs(s.value) > 80.0; });
    if (shift) out.where.push_back({"max", largest});
    const auto power = [&](const Expr& s) {
      return expr::apply(Expr::Kind::exp, shift ? expr::sub(s, expr::name("max", largest)) : s);
    };
    out.expr =
        expr::div(power(scores[at]), detail::sum_over(scores.size(), [&](std::size_t i) { return power(scores[i]); }));
    return out;
  }

  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    const std::size_t keys = node.value.shape().back(), visible = seen(row_of(node, cell), keys);
    if (cell.back() >= visible) return expr::constant(0.0, "masked");
    const Expr mean = detail::sum_over(rule == MaskRule::correct ? visible : keys, [&](std::size_t key) {
      const Cell other = detail::with(cell, -1, key);
      return expr::mul({node.ref(other), node.gradient_ref(other)});
    });
    return expr::mul({node.ref(cell), expr::sub(node.gradient_ref(cell), mean)});
  }
};

}  // namespace

Var softmax(const Var& x) { return masked_softmax(x, {}); }

Var masked_softmax(const Var& scores, const Var& lengths, MaskRule rule) {
  if (scores.shape().rank() == 0 || scores.value().size() == 0)
    throw ShapeError("softmax: no keys in shape " + scores.shape().str());
  auto op = lengths ? std::make_unique<MaskedSoftmax>(
                          detail::row_lengths("masked_softmax", scores.shape(), lengths.value()), rule)
                    : std::make_unique<MaskedSoftmax>();
  Tensor weights(scores.shape());
  op->forward(scores.value(), weights);
  Vars inputs = {scores};
  if (lengths) inputs.push_back(lengths);
  return scores.graph().make(std::move(op), inputs, std::move(weights));
}

List<std::size_t> seen_keys(const Node& weights) {
  const auto* op = dynamic_cast<const MaskedSoftmax*>(weights.op.get());
  return op != nullptr ? op->valid : List<std::size_t>();
}

}  // namespace attn
