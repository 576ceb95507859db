#include "ops/norm.hpp"

#include <vector>

#include "kernels/norm.hpp"
#include "kernels/reduce.hpp"
#include "ops/detail.hpp"

namespace attn {
namespace {

/// Groups of `size` numbers that are normalised together: rows of the tensor (layer norm) or its columns (batch norm).
struct Groups {
  std::size_t count, size;
  bool columns;

  std::size_t offset(std::size_t group, std::size_t i) const { return columns ? i * count + group : group * size + i; }
  std::size_t group_of(std::size_t offset) const { return columns ? offset % count : offset / size; }
  /// Which γ and β belong to a number.
  std::size_t feature_of(std::size_t offset) const { return columns ? offset % count : offset % size; }

  /// f(group, from, to) on each group as a contiguous row; columns are copied out and back.
  template <class F>
  void each(const float* from, float* to, F&& f) const {
    if (!columns) {
      for (std::size_t g = 0; g < count; ++g) f(g, from + g * size, to + g * size);
      return;
    }
    std::vector<float> column(size);
    for (std::size_t g = 0; g < count; ++g) {
      for (std::size_t i = 0; i < size; ++i) column[i] = from[offset(g, i)];
      f(g, column.data(), column.data());
      for (std::size_t i = 0; i < size; ++i) to[offset(g, i)] = column[i];
    }
  }
};

struct Norm final : Op {
  Groups groups;
  float epsilon;
  Tensor normal;       // (x − mean) / √(variance + ε)
  List<float> scales;  // 1 / √(variance + ε) of each group
  Norm(Groups g, float e) : groups(g), epsilon(e), scales(g.count) {}

  const char* name() const override { return groups.columns ? "batch_norm" : "layer_norm"; }

  Tensor forward(const Tensor& x, const Tensor& gamma, const Tensor& beta) {
    normal = Tensor(x.shape());
    groups.each(x.data(), normal.data(), [this](std::size_t g, const float* from, float* to) {
      scales[g] = kernels::standardise_row(from, to, groups.size, epsilon);
    });
    Tensor y(x.shape());
    const std::size_t features = gamma.size();
    for (std::size_t at = 0; at < x.size(); at += features)
      kernels::affine_row(normal.data() + at, gamma.data(), beta.data(), y.data() + at, features);
    return y;
  }

  void backward(Node& node) const override {
    Node &x = *node.inputs[0], &gamma = *node.inputs[1], &beta = *node.inputs[2];
    const std::size_t features = gamma.value.size();
    Tensor dn(normal.shape()), dgamma = Tensor::zeros(gamma.value.shape()), dbeta = Tensor::zeros(beta.value.shape());
    for (std::size_t at = 0; at < normal.size(); at += features)
      kernels::affine_row_backward(normal.data() + at, gamma.value.data(), node.gradient.data() + at, dgamma.data(),
                                   dbeta.data(), dn.data() + at, features);
    gamma.add_gradient(dgamma);
    beta.add_gradient(dbeta);
    if (x.needs_gradient) x.add_gradient(through_statistics(dn));
  }

  /// From dn to dx.
  Tensor through_statistics(const Tensor& dn) const {
    Tensor dx(dn.shape());
    std::vector<float> column(groups.columns ? groups.size : 0);
    groups.each(dn.data(), dx.data(), [&](std::size_t g, const float* from, float* to) {
      const float* n = normal.data() + g * groups.size;
      if (groups.columns) {
        for (std::size_t i = 0; i < groups.size; ++i) column[i] = normal.data()[groups.offset(g, i)];
        n = column.data();
      }
      kernels::standardise_row_backward(n, from, scales[g], to, groups.size);
    });
    return dx;
  }

  // What the explanations are made of: x and n at an offset, and the names of mean and variance.
  Expr x_at(const Node& node, std::size_t offset) const { return node.inputs[0]->ref(cell_at(normal.shape(), offset)); }
  Expr weight_at(const Node& node, std::size_t input, std::size_t offset) const {
    const Node& weight = *node.inputs[input];
    return weight.ref(cell_at(weight.value.shape(), groups.feature_of(offset)));
  }
  struct Statistics {
    Expr mean, deviation;
  };
  Statistics statistics(const Node& node, std::size_t group, Explanation& out) const {
    const auto average = [&](auto&& term) {
      return expr::div(detail::sum_over(groups.size, [&](std::size_t i) { return term(groups.offset(group, i)); }),
                       expr::constant(static_cast<double>(groups.size), "n"));
    };
    const Expr mean = average([&](std::size_t at) { return x_at(node, at); });
    out.where.push_back({"mean", mean});
    const Expr named = expr::name("mean", mean);
    const Expr variance =
        average([&](std::size_t at) { return expr::apply(Expr::Kind::square, expr::sub(x_at(node, at), named)); });
    out.where.push_back({"variance", variance});
    return {named,
            expr::apply(Expr::Kind::sqrt, expr::add({expr::name("variance", variance), expr::constant(epsilon, "ε")}))};
  }
  Expr normal_at(const Node& node, std::size_t offset, const Statistics& s) const {
    return expr::div(expr::sub(x_at(node, offset), s.mean), s.deviation);
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    const std::size_t at = node.value.offset(cell);
    Explanation out;
    const Statistics s = statistics(node, groups.group_of(at), out);
    out.expr = expr::add({expr::mul({weight_at(node, 1, at), normal_at(node, at, s)}), weight_at(node, 2, at)});
    return out;
  }

  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    return input == 0 ? explain_dx(node, node.value.offset(cell)) : explain_weight(node, input, cell);
  }

  Explanation explain_dx(const Node& node, std::size_t at) const {
    const std::size_t group = groups.group_of(at);
    Explanation out;
    const Statistics s = statistics(node, group, out);
    const auto dn = [&](std::size_t offset) {
      return expr::mul({weight_at(node, 1, offset), node.gradient_ref(cell_at(normal.shape(), offset))});
    };
    const auto average = [&](const char* name, auto&& term) {
      const Expr e =
          expr::div(detail::sum_over(groups.size, [&](std::size_t i) { return term(groups.offset(group, i)); }),
                    expr::constant(static_cast<double>(groups.size), "n"));
      out.where.push_back({name, e});
      return expr::name(name, e);
    };
    const Expr shift = average("mean of dn", dn);
    const Expr slope = average("mean of n·dn", [&](std::size_t o) {
      return expr::mul({normal_at(node, o, s), dn(o)});
    });
    out.expr = expr::div(expr::sub(expr::sub(dn(at), shift), expr::mul({normal_at(node, at, s), slope})), s.deviation);
    return out;
  }

  /// n = (y − β) / γ, told by the result, so that it opens without naming a mean for each row.
  Expr normal_of(const Node& node, std::size_t offset) const {
    const Expr gamma = weight_at(node, 1, offset);
    const Cell cell = cell_at(normal.shape(), offset);
    if (gamma.value == 0.0) return expr::constant(normal.at(cell), "normalised");
    return expr::div(expr::sub(node.ref(cell), weight_at(node, 2, offset)), gamma);
  }

  /// γ and β serve every row: a sum over all numbers that they scaled or shifted.
  Explanation explain_weight(const Node& node, std::size_t input, const Cell& cell) const {
    const Tensor& weight = node.inputs[input]->value;
    const std::size_t features = weight.size(), feature = weight.offset(cell);
    Explanation out;
    std::vector<Expr> terms;
    for (std::size_t at = feature; at < normal.size(); at += features) {
      const Expr dy = node.gradient_ref(cell_at(normal.shape(), at));
      terms.push_back(input == 1 ? expr::mul({dy, normal_of(node, at)}) : dy);
    }
    out.expr = expr::add(std::move(terms));
    return out;
  }
};

Var normalised(const Var& x, const Var& gamma, const Var& beta, Groups groups, float epsilon) {
  auto op = std::make_unique<Norm>(groups, epsilon);
  Tensor y = op->forward(x.value(), gamma.value(), beta.value());
  return x.graph().make(std::move(op), {x, gamma, beta}, std::move(y));
}

[[noreturn]] void refuse(const char* op, const Var& x, const Var& gamma, const Var& beta) {
  throw ShapeError(std::string(op) + ": gamma " + gamma.shape().str() + " and beta " + beta.shape().str() +
                   " fit no features of shape " + x.shape().str());
}

}  // namespace

Var layer_norm(const Var& x, const Var& gamma, const Var& beta, float epsilon) {
  const Shape &shape = x.shape(), &features = gamma.shape();
  if (features.rank() == 0 || features.rank() > shape.rank() || beta.shape() != features || features.elements() == 0 ||
      !std::equal(features.begin(), features.end(), shape.end() - features.rank()))
    refuse("layer_norm", x, gamma, beta);
  return normalised(x, gamma, beta, {x.value().size() / features.elements(), features.elements(), false}, epsilon);
}

Var batch_norm(const Var& x, const Var& gamma, const Var& beta, float epsilon) {
  const Shape& shape = x.shape();
  if (shape.rank() < 2 || x.value().size() == 0 || gamma.shape() != Shape{shape.back()} ||
      beta.shape() != gamma.shape())
    refuse("batch_norm", x, gamma, beta);
  return normalised(x, gamma, beta, {shape.back(), x.value().size() / shape.back(), true}, epsilon);
}

}  // namespace attn
