#include "ops/attention.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/attention.hpp"
#include "ops/detail.hpp"

namespace attn {
namespace {

struct Attention final : Op {
  List<std::size_t> visible;      // of each query of each example; empty: all keys
  Tensor weights, mask;           // [B, heads, Tq, Tk]; the mask of dropout may be none
  kernels::AttentionSizes sizes;  // without `visible`, which moves with the op

  const char* name() const override { return "attention"; }

  kernels::AttentionSizes seen() const {
    kernels::AttentionSizes s = sizes;
    s.visible = visible.empty() ? nullptr : visible.data();
    return s;
  }
  const float* mask_data() const { return mask ? mask.data() : nullptr; }

  void forward(kernels::MatmulPath path, const Tensor& q, const Tensor& k, const Tensor& v, Tensor& out) {
    weights = Tensor({sizes.batch, sizes.heads, sizes.queries, sizes.keys});
    kernels::attention(path, seen(), q.data(), k.data(), v.data(), mask_data(), weights.data(), out.data());
  }

  void backward(Node& node) const override {
    Node &q = *node.inputs[0], &k = *node.inputs[1], &v = *node.inputs[2];
    Tensor dq(q.value.shape()), dk(k.value.shape()), dv(v.value.shape());
    kernels::attention_backward(node.graph->options().path, seen(),
                                {q.value.data(), k.value.data(), v.value.data(), mask_data(), weights.data(),
                                 node.gradient.data(), dq.data(), dk.data(), dv.data()});
    q.add_gradient(dq);
    k.add_gradient(dk);
    v.add_gradient(dv);
  }

  // ---- explanations, written out down to the operands: nothing of the inside is a node

  /// A row of one head: query `query` of example `batch`.
  struct Row {
    const Node& node;
    std::size_t batch, head, query;
  };

  Expr score(const Row& r, std::size_t key) const {
    if (key >= seen().seen(r.batch * sizes.queries + r.query)) return expr::constant(sizes.hidden_score, "masked");
    Expr product = detail::sum_over(sizes.size, [&](std::size_t p) {
      const std::size_t c = r.head * sizes.size + p;
      return expr::mul({r.node.inputs[0]->ref({r.batch, r.query, c}), r.node.inputs[1]->ref({r.batch, key, c})});
    });
    return expr::mul({factor(), std::move(product)});
  }
  Expr factor() const { return expr::constant(1.0 / std::sqrt(static_cast<double>(sizes.size)), "1/√d"); }

  std::size_t weighed(const Row& r) const { return seen().weighed(r.batch * sizes.queries + r.query); }

  /// The weight of every key that has one. Where powers would leave the range, all are taken of the distance to the
  /// largest score, which changes no weight.
  std::vector<Expr> weights_of(const Row& r) const {
    std::vector<Expr> powers;
    for (std::size_t j = 0; j < weighed(r); ++j) powers.push_back(score(r, j));
    double largest = 0.0;
    for (const Expr& s : powers) largest = std::max(largest, std::abs(s.value));
    const Expr top = largest > 80.0 ? expr::max(powers) : Expr();
    for (Expr& s : powers)
      s = expr::apply(Expr::Kind::exp, largest > 80.0 ? expr::sub(s, expr::constant(top.value, "max")) : s);
    std::vector<Expr> out;
    for (const Expr& power : powers) out.push_back(expr::div(power, expr::add(powers)));
    return out;
  }

  std::vector<Expr> kept(const Row& r, std::size_t key, std::vector<Expr> factors) const {
    if (mask) {
      const float m = mask.at(Cell{r.batch, r.head, r.query, key});
      factors.push_back(expr::constant(m, m > 0.0F ? "1/(1-p)" : "dropped"));
    }
    return factors;
  }

  Explanation explain(const Node& node, const Cell& cell) const override {
    const Row row{node, cell[0], cell[2] / sizes.value_size, cell[1]};
    const std::vector<Expr> w = weights_of(row);
    Explanation out;
    for (std::size_t j = 0; j < w.size(); ++j) out.where.push_back({std::string("w").append(std::to_string(j)), w[j]});
    out.expr = detail::sum_over(w.size(), [&](std::size_t j) {
      return expr::mul(kept(row, j, {expr::name(out.where[j].name, w[j]), node.inputs[2]->ref({cell[0], j, cell[2]})}));
    });
    return out;
  }

  /// d loss / d score of a key is w (dw - Σ w dw) / √d, the sum over all keys of the row.
  struct ScoreGradients {
    std::vector<Expr> w, dw;
    Expr mean;
    Expr of(std::size_t key, const Expr& factor) const { return expr::mul({factor, w[key], expr::sub(dw[key], mean)}); }
  };
  ScoreGradients score_gradients(const Row& r) const {
    ScoreGradients out{weights_of(r), {}, {}};
    std::vector<Expr> products;
    for (std::size_t j = 0; j < out.w.size(); ++j) {
      Expr sum = detail::sum_over(sizes.value_size, [&](std::size_t p) {
        const std::size_t c = r.head * sizes.value_size + p;
        return expr::mul({r.node.gradient_ref({r.batch, r.query, c}), r.node.inputs[2]->ref({r.batch, j, c})});
      });
      out.dw.push_back(expr::mul(kept(r, j, {std::move(sum)})));
      products.push_back(expr::mul({out.w[j], out.dw[j]}));
    }
    out.mean = expr::add(std::move(products));
    return out;
  }

  Expr query_share(const Row& r, const Cell& cell) const {
    const std::size_t visible = seen().seen(r.batch * sizes.queries + r.query);
    if (visible == 0) return expr::constant(0.0, "masked");
    const ScoreGradients ds = score_gradients(r);
    return detail::sum_over(visible, [&](std::size_t j) {
      return expr::mul({ds.of(j, factor()), r.node.inputs[1]->ref({cell[0], j, cell[2]})});
    });
  }

  Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const override {
    const std::size_t head = cell[2] / (input == 2 ? sizes.value_size : sizes.size);
    if (input == 0) return query_share({node, cell[0], head, cell[1]}, cell);
    std::vector<Expr> shares;  // of every query that sees the key
    for (std::size_t i = 0; i < sizes.queries; ++i) {
      const Row row{node, cell[0], head, i};
      if (cell[1] >= (input == 1 ? seen().seen(cell[0] * sizes.queries + i) : weighed(row))) continue;
      const Cell reader{cell[0], i, cell[2]};
      if (input == 1)
        shares.push_back(expr::mul({score_gradients(row).of(cell[1], factor()), node.inputs[0]->ref(reader)}));
      else
        shares.push_back(expr::mul(kept(row, cell[1], {weights_of(row)[cell[1]], node.gradient_ref(reader)})));
    }
    return shares.empty() ? expr::constant(0.0, "masked") : expr::add(std::move(shares));
  }
};

void check_shapes(const Shape& q, const Shape& k, const Shape& v, std::size_t heads) {
  const auto refuse = [&](const std::string& why) {
    throw ShapeError("attention: queries " + q.str() + ", keys " + k.str() + ", values " + v.str() + ": " + why);
  };
  if (q.rank() != 3 || k.rank() != 3 || v.rank() != 3) refuse("each is [batch, steps, features]");
  if (q[0] != k[0] || k[0] != v[0] || k[1] != v[1] || q[2] != k[2]) refuse("they do not fit");
  if (k[1] == 0) refuse("there are no keys");
  if (heads == 0 || q[2] % heads != 0 || v[2] % heads != 0 || q[2] == 0)
    refuse("their features do not split into " + std::to_string(heads) + " heads");
}

}  // namespace

Var attention(const Var& q, const Var& k, const Var& v, std::size_t heads, const Var& lengths, MaskRule rule,
              float dropout) {
  check_shapes(q.shape(), k.shape(), v.shape(), heads);
  Graph& graph = q.graph();
  auto op = std::make_unique<Attention>();
  op->sizes = {q.size(0), heads, q.size(1), k.size(1), q.size(2) / heads, v.size(2) / heads};
  const bool book = lengths && rule == MaskRule::book;
  if (book) op->sizes.scores_hidden = true, op->sizes.hidden_score = detail::kBookMask;
  if (lengths) op->visible = detail::row_lengths("attention", {q.size(0), q.size(1), k.size(1)}, lengths.value());
  op->mask = detail::dropout_mask(graph.options(), {q.size(0), heads, q.size(1), k.size(1)}, dropout);
  Tensor out({q.size(0), q.size(1), v.size(2)});
  op->forward(graph.options().path, q.value(), k.value(), v.value(), out);
  Vars inputs = {q, k, v};
  if (lengths) inputs.push_back(lengths);
  return graph.make(std::move(op), inputs, std::move(out));
}

}  // namespace attn
