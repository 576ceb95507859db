#include "ops/reduce.hpp"

#include <algorithm>
#include <numeric>

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

/// Along one axis, seen as outer × axis × inner.
struct SumAxis final : Op {
  std::size_t axis;
  bool is_mean;
  SumAxis(std::size_t a, bool m) : axis(a), is_mean(m) {}

  const char* name() const override { return is_mean ? "mean" : "sum"; }

  std::size_t length(const Shape& shape) const { return shape[static_cast<std::ptrdiff_t>(axis)]; }
  std::size_t inner(const Shape& shape) const {
    return std::accumulate(shape.begin() + axis + 1, shape.end(), std::size_t{1}, std::multiplies<>());
  }
  float factor(const Shape& shape) const { return is_mean ? 1.0F / static_cast<float>(length(shape)) : 1.0F; }

  Tensor forward(const Tensor& x) const {
    Tensor out = Tensor::zeros(x.shape().erased(axis));
    const std::size_t n = length(x.shape()), width = inner(x.shape());
    for (std::size_t row = 0; row < out.size() / std::max<std::size_t>(width, 1) * n; ++row)
      kernels::add_to(x.data() + row * width, out.data() + row / n * width, width);
    if (is_mean) kernels::scale(factor(x.shape()), out.data(), out.size());
    return out;
  }
  void backward(Node& node) const override {
    Node& x = *node.inputs[0];
    if (!x.needs_gradient) return;
    Tensor dx = Tensor::zeros(x.value.shape());
    const std::size_t n = length(dx.shape()), width = inner(dx.shape());
    for (std::size_t row = 0; row < dx.size() / width; ++row)
      kernels::add_scaled(factor(dx.shape()), node.gradient.data() + row / n * width, dx.data() + row * width, width);
    x.add_gradient(dx);
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    const Node& x = *node.inputs[0];
    Cell from = cell;
    from.insert(from.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    Expr total = detail::sum_over(length(x.value.shape()), [&](std::size_t i) {
      return x.ref(detail::with(from, static_cast<std::ptrdiff_t>(axis), i));
    });
    if (!is_mean) return total;
    return expr::div(std::move(total), expr::constant(static_cast<double>(length(x.value.shape())), "n"));
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    Cell to = cell;
    to.erase(to.begin() + static_cast<std::ptrdiff_t>(axis));
    if (!is_mean) return node.gradient_ref(to);
    return expr::mul({expr::constant(factor(node.inputs[0]->value.shape()), "1/n"), node.gradient_ref(to)});
  }
};

Var reduce_axis(const char* name, const Var& x, std::ptrdiff_t axis, bool is_mean) {
  const auto rank = static_cast<std::ptrdiff_t>(x.shape().rank());
  if (axis < -rank || axis >= rank)
    throw ShapeError(std::string(name) + ": no axis " + std::to_string(axis) + " in shape " + x.shape().str());
  if (is_mean && x.size(axis) == 0) throw ShapeError("mean: no elements along an axis of " + x.shape().str());
  auto op = std::make_unique<SumAxis>(static_cast<std::size_t>(axis < 0 ? axis + rank : axis), is_mean);
  Tensor out = op->forward(x.value());
  return x.graph().make(std::move(op), {x}, std::move(out));
}

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

Var sum(const Var& x, std::ptrdiff_t axis) { return reduce_axis("sum", x, axis, false); }
Var mean(const Var& x, std::ptrdiff_t axis) { return reduce_axis("mean", x, axis, true); }

}  // namespace attn
