#include "ops/matmul.hpp"

#include "ops/detail.hpp"
#include "tensor/refusal.hpp"

namespace attn {
namespace {

using kernels::MatmulArgs;

/// A (batch of) row-major matrices, seen as they are or transposed.
struct Matrix {
  const float* data;
  std::size_t rows, columns, row, column, batch;  // strides in floats
  std::uint64_t version = 0;                      // of a weight, which comes again

  Matrix(const Tensor& t, std::size_t r, bool batched)
      : data(t.data()),
        rows(r),
        columns(t.shape().back()),
        row(columns),
        column(1),
        batch(batched ? r * columns : 0) {}
  Matrix(const Node& node, std::size_t r, bool batched) : Matrix(node.value, r, batched) {
    if (node.kind == Node::Kind::parameter) version = node.value.version();
  }
  Matrix transposed() const {
    Matrix t = *this;
    std::swap(t.rows, t.columns);
    std::swap(t.row, t.column);
    return t;
  }
};

MatmulArgs product_of(const Matrix& a, const Matrix& b, std::size_t batch, Tensor& out, const float* bias = nullptr) {
  return {a.data,   b.data,  out.data(), batch,    a.rows, b.columns, a.columns, a.batch,  a.row,
          a.column, b.batch, b.row,      b.column, false,  bias,      a.version, b.version};
}

/// y = a b, or a bᵀ. With one b for all, the matrices of a are one tall matrix.
struct MatMul final : Op {
  bool transposed;
  explicit MatMul(bool t) : transposed(t) {}

  const char* name() const override { return transposed ? "matmul_transposed" : "matmul"; }

  static bool shared(const Node& node) { return node.inputs[1]->value.rank() == 2; }
  /// Product of all sizes but the last few; not by division, since these may be 0.
  static std::size_t leading(const Shape& s, std::size_t last) {
    return Shape(std::span(s.begin(), s.rank() - last)).elements();
  }
  static std::size_t rows(const Tensor& t, bool shared) { return shared ? leading(t.shape(), 1) : t.size(-2); }
  static std::size_t batch(const Tensor& b) { return leading(b.shape(), 2); }

  static MatmulArgs forward(const Node& a, const Node& b, bool transposed, Tensor& out, const float* bias = nullptr) {
    const bool one = b.value.rank() == 2;
    const Matrix right(b, b.value.size(-2), !one);
    return product_of(Matrix(a, rows(a.value, one), !one), transposed ? right.transposed() : right,
                      one ? 1 : batch(b.value), out, bias);
  }

  void backward(Node& node) const override {
    Node &a = *node.inputs[0], &b = *node.inputs[1];
    const bool one = shared(node);
    const std::size_t n = one ? 1 : batch(b.value);
    const Matrix dy(node.gradient, rows(node.gradient, one), !one);
    const Matrix left(a, rows(a.value, one), !one), right(b, b.value.size(-2), !one);
    Tensor da, db;
    List<MatmulArgs> products;
    if (a.needs_gradient) {
      da = Tensor(a.value.shape());
      products.push_back(product_of(dy, transposed ? right : right.transposed(), n, da));  // dy bᵀ, or dy b
    }
    if (b.needs_gradient) {
      db = Tensor(b.value.shape());
      products.push_back(transposed ? product_of(dy.transposed(), left, n, db)    // dyᵀ a
                                    : product_of(left.transposed(), dy, n, db));  // aᵀ dy
    }
    kernels::matmul_many(node.graph->options().path, products);
    if (da) a.add_gradient(da);
    if (db) b.add_gradient(db);
  }

  Cell b_cell(const Node& node, const Cell& cell, std::size_t p) const {  // b[p, column], or b[column, p]
    Cell out = shared(node) ? Cell{0, 0} : detail::with(cell, -2, 0);
    return detail::with(detail::with(out, transposed ? -1 : -2, p), transposed ? -2 : -1, cell.back());
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    const Node &a = *node.inputs[0], &b = *node.inputs[1];
    return detail::sum_over(a.value.shape().back(), [&](std::size_t p) {
      return expr::mul({a.ref(detail::with(cell, -1, p)), b.ref(b_cell(node, cell, p))});
    });
  }

  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    const Node &a = *node.inputs[0], &b = *node.inputs[1];
    if (input == 0)  // sum over the columns of y
      return detail::sum_over(node.value.shape().back(), [&](std::size_t j) {
        const Cell y = detail::with(cell, -1, j);
        return expr::mul({node.gradient_ref(y), b.ref(b_cell(node, y, cell.back()))});
      });
    const std::size_t p = cell[cell.size() - (transposed ? 1 : 2)], j = cell[cell.size() - (transposed ? 2 : 1)];
    const std::size_t count = rows(a.value, shared(node));
    return detail::sum_over(count, [&](std::size_t i) {  // sum over the rows of y that b served
      const Cell row = shared(node) ? cell_at(a.value.shape(), i * a.value.shape().back()) : detail::with(cell, -2, i);
      return expr::mul({node.gradient_ref(detail::with(row, -1, j)), a.ref(detail::with(row, -1, p))});
    });
  }
};

struct Linear final : Op {
  const char* name() const override { return "linear"; }

  void backward(Node& node) const override {
    MatMul(true).backward(node);
    if (node.inputs.size() == 3)
      node.inputs[2]->add_gradient(detail::sum_to(node.gradient, node.inputs[2]->value.shape()));
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    Expr product = MatMul(true).explain(node, cell).expr;
    if (node.inputs.size() < 3) return product;
    std::vector<Expr> terms = product.kind == Expr::Kind::add ? std::move(product.of) : std::vector<Expr>{product};
    terms.push_back(node.inputs[2]->ref({cell.back()}));
    return expr::add(std::move(terms));
  }

  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    if (input < 2) return MatMul(true).explain_gradient(node, input, cell);
    const std::size_t out = node.value.shape().back();
    return detail::sum_over(node.value.size() / out, [&](std::size_t i) {
      return node.gradient_ref(cell_at(node.value.shape(), i * out + cell[0]));
    });
  }
};

[[noreturn]] void refuse(const char* op, const Shape& a, const Shape& b) {
  throw refused<ShapeError>("shapes.product", std::string(op) + ": {a} x {b} do not fit",
                            {{"a", a.str()}, {"b", b.str()}});
}

Shape product_shape(const char* op, const Shape& a, const Shape& b, bool transposed) {
  if (a.rank() < 2 || b.rank() < 2 || a.back() != b[transposed ? -1 : -2]) refuse(op, a, b);
  if (b.rank() > 2 && (a.rank() != b.rank() || !std::equal(a.begin(), a.end() - 2, b.begin()))) refuse(op, a, b);
  Shape out = a;
  out[-1] = b[transposed ? -2 : -1];
  return out;
}

Var product(const Var& a, const Var& b, bool transposed) {
  auto op = std::make_unique<MatMul>(transposed);
  Tensor out(product_shape(op->name(), a.shape(), b.shape(), transposed));
  kernels::matmul(a.graph().options().path, MatMul::forward(a.node(), b.node(), transposed, out));
  return a.graph().make(std::move(op), {a, b}, std::move(out));
}

Shape linear_shape(const LinearOperands& l) {
  if (l.x.shape().rank() < 1 || l.weight.shape().rank() != 2 || l.x.shape().back() != l.weight.size(1))
    refuse("linear", l.x.shape(), l.weight.shape());
  if (l.bias && l.bias.shape() != Shape{l.weight.size(0)}) refuse("linear (bias)", l.weight.shape(), l.bias.shape());
  Shape shape = l.x.shape();
  shape[-1] = l.weight.size(0);
  return shape;
}

MatmulArgs linear_product(const LinearOperands& l, Tensor& y) {
  return MatMul::forward(l.x.node(), l.weight.node(), true, y, l.bias ? l.bias.value().data() : nullptr);
}

Var linear_node(const LinearOperands& l, Tensor y) {
  Vars inputs = {l.x, l.weight};
  if (l.bias) inputs.push_back(l.bias);
  return l.x.graph().make(std::make_unique<Linear>(), inputs, std::move(y));
}

}  // namespace

Var matmul(const Var& a, const Var& b) { return product(a, b, false); }

Var matmul_transposed(const Var& a, const Var& b) { return product(a, b, true); }

Var linear(const Var& x, const Var& weight, const Var& bias) {
  const LinearOperands l = {x, weight, bias};
  Tensor y(linear_shape(l));
  kernels::matmul(x.graph().options().path, linear_product(l, y));
  return linear_node(l, std::move(y));
}

Vars linear_many(const List<LinearOperands>& layers) {
  List<Tensor> values;
  List<MatmulArgs> products;
  for (const LinearOperands& l : layers) {
    values.emplace_back(linear_shape(l));
    products.push_back(linear_product(l, values.back()));
  }
  if (!layers.empty()) kernels::matmul_many(layers[0].x.graph().options().path, products);
  Vars out;
  for (std::size_t i = 0; i < layers.size(); ++i) out.push_back(linear_node(layers[i], std::move(values[i])));
  return out;
}

}  // namespace attn
