#include "ops/layout.hpp"

#include <algorithm>
#include <numeric>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>

#include "ops/detail.hpp"
#include "tensor/array.hpp"

namespace attn {
namespace {

std::size_t axis_of(const char* op, std::ptrdiff_t axis, const Shape& shape) {
  const auto rank = static_cast<std::ptrdiff_t>(shape.rank());
  if (axis < -rank || axis >= rank)
    throw ShapeError(std::string(op) + ": shape " + shape.str() + " has no axis " + std::to_string(axis));
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

std::size_t product(const std::size_t* first, const std::size_t* last) {
  return std::accumulate(first, last, std::size_t{1}, std::multiplies<>());
}

struct Reshape final : Op {
  const char* name() const override { return "reshape"; }
  void backward(Node& node) const override {
    Node& x = *node.inputs[0];
    x.add_gradient(node.gradient.reshaped(x.value.shape()));
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    const Node& x = *node.inputs[0];
    return x.ref(cell_at(x.value.shape(), node.value.offset(cell)));
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    return node.gradient_ref(cell_at(node.value.shape(), node.inputs[0]->value.offset(cell)));
  }
};

struct Transpose final : Op {
  List<std::size_t> order;
  explicit Transpose(List<std::size_t> o) : order(std::move(o)) {}

  const char* name() const override { return "transpose"; }

  List<std::size_t> inverse() const {
    List<std::size_t> out(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = i;
    return out;
  }
  void backward(Node& node) const override {
    Tensor dx(node.inputs[0]->value.shape());
    xt::noalias(array(dx)) = xt::transpose(array(node.gradient), inverse());
    node.inputs[0]->add_gradient(dx);
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    Cell from(cell.size());
    for (std::size_t i = 0; i < order.size(); ++i) from[order[i]] = cell[i];
    return node.inputs[0]->ref(from);
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    Cell to(cell.size());
    for (std::size_t i = 0; i < order.size(); ++i) to[i] = cell[order[i]];
    return node.gradient_ref(to);
  }
};

/// A range of one axis, seen as outer × (axis × inner) blocks of contiguous floats.
struct Range {
  std::size_t axis, start, length;

  struct Blocks {
    std::size_t outer, inner, whole, first, size;
  };
  Blocks blocks(const Shape& full) const {
    const std::size_t inner = product(full.begin() + axis + 1, full.end()),
                      whole = full[static_cast<std::ptrdiff_t>(axis)] * inner;
    return {product(full.begin(), full.begin() + axis), inner, whole, start * inner, length * inner};
  }
  void read(const Tensor& from, Tensor& to) const {
    const Blocks b = blocks(from.shape());
    for (std::size_t i = 0; i < b.outer; ++i)
      std::copy_n(from.data() + i * b.whole + b.first, b.size, to.data() + i * b.size);
  }
  void write(const Tensor& from, Tensor& to) const {
    const Blocks b = blocks(to.shape());
    for (std::size_t i = 0; i < b.outer; ++i)
      std::copy_n(from.data() + i * b.size, b.size, to.data() + i * b.whole + b.first);
  }
  void add(const Tensor& from, Tensor& to) const {
    const Blocks b = blocks(to.shape());
    for (std::size_t i = 0; i < b.outer; ++i)
      std::transform(from.data() + i * b.size, from.data() + (i + 1) * b.size, to.data() + i * b.whole + b.first,
                     to.data() + i * b.whole + b.first, std::plus<>());
  }
};

struct Slice final : Op {
  Range range;
  bool drops_axis;  // select: length 1, and the axis is gone
  Slice(Range r, bool drops) : range(r), drops_axis(drops) {}

  const char* name() const override { return drops_axis ? "select" : "slice"; }

  void backward(Node& node) const override {
    Node& x = *node.inputs[0];
    if (x.needs_gradient) range.add(node.gradient, x.gradient_sum());
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    Cell from = cell;
    if (drops_axis) from.insert(from.begin() + static_cast<std::ptrdiff_t>(range.axis), 0);
    from[range.axis] += range.start;
    return node.inputs[0]->ref(from);
  }
  Explanation explain_gradient(const Node& node, std::size_t, const Cell& cell) const override {
    if (cell[range.axis] < range.start || cell[range.axis] >= range.start + range.length) return expr::constant(0.0);
    Cell to = cell;
    to[range.axis] -= range.start;
    if (drops_axis) to.erase(to.begin() + static_cast<std::ptrdiff_t>(range.axis));
    return node.gradient_ref(to);
  }
};

struct Concat final : Op {
  std::size_t axis;
  bool new_axis;  // stack: each part fills one entry of an axis that it does not have
  Concat(std::size_t a, bool n) : axis(a), new_axis(n) {}

  const char* name() const override { return new_axis ? "stack" : "concat"; }

  std::size_t length(const Node& part) const {
    return new_axis ? 1 : part.value.size(static_cast<std::ptrdiff_t>(axis));
  }

  void backward(Node& node) const override {
    std::size_t start = 0;
    for (const NodePtr& part : node.inputs) {
      const Range range{axis, start, length(*part)};
      start += range.length;
      if (!part->needs_gradient) continue;
      Tensor share(part->value.shape());
      range.read(node.gradient, share);
      part->add_gradient(share);
    }
  }
  Explanation explain(const Node& node, const Cell& cell) const override {
    Cell from = cell;
    std::size_t i = 0;
    while (from[axis] >= length(*node.inputs[i])) from[axis] -= length(*node.inputs[i++]);
    if (new_axis) from.erase(from.begin() + static_cast<std::ptrdiff_t>(axis));
    return node.inputs[i]->ref(from);
  }
  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    Cell to = cell;
    if (new_axis) to.insert(to.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    for (std::size_t i = 0; i < input; ++i) to[axis] += length(*node.inputs[i]);
    return node.gradient_ref(to);
  }
};

Var join(const Vars& parts, std::size_t axis, bool new_axis, const Shape& shape) {
  Tensor out(shape);
  auto op = std::make_unique<Concat>(axis, new_axis);
  std::size_t start = 0;
  for (const Var& part : parts) {
    const Range range{axis, start, op->length(part.node())};
    range.write(part.value(), out);
    start += range.length;
  }
  return parts[0].graph().make(std::move(op), parts, std::move(out));
}

Var take(const Var& x, std::ptrdiff_t axis, std::size_t start, std::size_t length, bool drops) {
  const char* name = drops ? "select" : "slice";
  const Range range{axis_of(name, axis, x.shape()), start, length};
  if (length > x.size(axis) || start > x.size(axis) - length)
    throw ShapeError(std::string(name) + ": entries " + std::to_string(start) + " to " +
                     std::to_string(start + length) + " lie outside axis " + std::to_string(range.axis) + " of " +
                     x.shape().str());
  Shape shape = x.shape();
  shape[static_cast<std::ptrdiff_t>(range.axis)] = length;
  Tensor out(drops ? shape.erased(range.axis) : shape);
  range.read(x.value(), out);
  return x.graph().make(std::make_unique<Slice>(range, drops), {x}, std::move(out));
}

}  // namespace

Var reshape(const Var& x, const Shape& shape) {
  return x.graph().make(std::make_unique<Reshape>(), {x}, x.value().reshaped(shape));
}

Var transpose(const Var& x, const List<std::size_t>& order) {
  List<std::size_t> sorted = order;
  std::ranges::sort(sorted);
  Shape shape = x.shape();
  bool fits = order.size() == shape.rank();
  for (std::size_t i = 0; fits && i < order.size(); ++i) fits = sorted[i] == i;
  if (!fits) throw ShapeError("transpose: " + Shape(order).str() + " is no order of the axes of " + x.shape().str());
  for (std::size_t i = 0; i < order.size(); ++i)
    shape[static_cast<std::ptrdiff_t>(i)] = x.size(static_cast<std::ptrdiff_t>(order[i]));
  Tensor out(shape);
  xt::noalias(array(out)) = xt::transpose(array(x.value()), order);
  return x.graph().make(std::make_unique<Transpose>(order), {x}, std::move(out));
}

List<std::size_t> order_of(const Node& node) {
  const auto* op = dynamic_cast<const Transpose*>(node.op.get());
  return op != nullptr ? op->order : List<std::size_t>();
}

Var slice(const Var& x, std::ptrdiff_t axis, std::size_t start, std::size_t length) {
  return take(x, axis, start, length, false);
}

Var select(const Var& x, std::ptrdiff_t axis, std::size_t index) { return take(x, axis, index, 1, true); }

Var concat(const Vars& parts, std::ptrdiff_t axis) {
  if (parts.empty()) throw ShapeError("concat: nothing to join");
  Shape shape = parts[0].shape();
  const std::size_t at = axis_of("concat", axis, shape);
  std::size_t total = 0;
  for (const Var& part : parts) {
    Shape other = part.shape();
    if (other.rank() == shape.rank()) other[static_cast<std::ptrdiff_t>(at)] = shape[static_cast<std::ptrdiff_t>(at)];
    if (other != shape)
      throw ShapeError("concat: " + parts[0].shape().str() + " and " + part.shape().str() + " differ beside axis " +
                       std::to_string(at));
    total += part.size(static_cast<std::ptrdiff_t>(at));
  }
  shape[static_cast<std::ptrdiff_t>(at)] = total;
  return join(parts, at, false, shape);
}

Var stack(const Vars& parts, std::ptrdiff_t axis) {
  if (parts.empty()) throw ShapeError("stack: nothing to join");
  const Shape& shape = parts[0].shape();
  const auto rank = static_cast<std::ptrdiff_t>(shape.rank()) + 1;
  if (axis < -rank || axis >= rank)
    throw ShapeError("stack: no axis " + std::to_string(axis) + " beside those of " + shape.str());
  for (const Var& part : parts)
    if (part.shape() != shape) throw ShapeError("stack: " + shape.str() + " and " + part.shape().str() + " differ");
  const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  return join(parts, at, true, shape.inserted(at, parts.size()));
}

}  // namespace attn
