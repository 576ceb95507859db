#include "support/explained.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "support/compare.hpp"
#include "support/evaluate.hpp"

namespace attn::test {
namespace {

constexpr double kSmallest = std::numeric_limits<float>::min();  // what lies under it is 0 to the kernels

std::vector<Cell> sampled_cells(const Tensor& tensor, std::size_t most, Rng& rng) {
  std::set<std::size_t> offsets;
  const std::size_t size = tensor.size();
  while (offsets.size() < std::min(size, most))
    offsets.insert(size <= most ? offsets.size() : rng.below(static_cast<std::uint32_t>(size)));
  std::vector<Cell> cells;
  for (const std::size_t offset : offsets) cells.push_back(cell_at(tensor.shape(), offset));
  return cells;
}

template <class F>
void for_sampled_cells(const Graph& graph, std::size_t most, F&& f) {
  Rng rng(7);
  for (const NodePtr& node : graph.nodes())
    for (const Cell& cell : sampled_cells(node->value, most, rng)) {
      INFO("node ", node->id, " ", node->name, " ", std::string(node->op ? node->op->name() : "input"), ", cell ",
           Shape(cell).str());
      f(*node, cell);
    }
}

bool reads(const Node& node, int id) {
  return std::ranges::any_of(node.inputs, [id](const NodePtr& input) { return input->id == id; });
}

/// The number where a leaf points, which must be the number that the leaf shows.
double recorded(const Graph& graph, const Expr& ref) {
  const Node& node = *graph.nodes().at(static_cast<std::size_t>(ref.node));
  const Tensor& tensor = ref.gradient ? node.gradient : node.value;
  REQUIRE(tensor);
  const double value = tensor.at(ref.cell);
  CHECK(value == ref.value);
  return value;
}

/// Returns the error, in units of the magnitude.
double check_explanation(const Explanation& explanation, double stored, const Leaf& leaf) {
  const double value = evaluate(explanation, leaf), magnitude = explanation.expr.magnitude();
  CHECK(std::isfinite(magnitude));
  CHECK(std::abs(value - stored) <= 1e-5 * magnitude + kSmallest);
  CHECK(std::abs(value - explanation.expr.value) <= 1e-12 * magnitude);
  return std::abs(value - stored) > kSmallest ? std::abs(value - stored) / magnitude : 0.0;
}

double check_value(const Graph& graph, const Node& node, const Cell& cell) {
  const Leaf leaf = [&](const Expr& ref, int consumer) {
    CHECK(ref.gradient == (node.op && node.op->name() == std::string("gradient")));  // of a parameter, to learn from
    CHECK(consumer == -1);
    CHECK((node.op ? reads(node, ref.node) : ref.node == node.id));
    return recorded(graph, ref);
  };
  return check_explanation(graph.explain(node, cell), node.value.at(cell), leaf);
}

/// Each share's leaves are the consumer's gradient, value and inputs.
double check_gradient(const Graph& graph, const Node& node, const Cell& cell) {
  const Leaf leaf = [&](const Expr& ref, int consumer) {
    if (consumer >= 0) {
      const Node& owner = *graph.nodes().at(static_cast<std::size_t>(consumer));
      CHECK(reads(owner, node.id));
      CHECK((ref.node == owner.id || (!ref.gradient && reads(owner, ref.node))));
    }
    return recorded(graph, ref);
  };
  return check_explanation(graph.explain_gradient(node, cell), node.gradient.at(cell), leaf);
}

void check_no_gradient(const Graph& graph, const Node& node, const Cell& cell) {
  const Expr none = graph.explain_gradient(node, cell).expr;
  CHECK(none.kind == Expr::Kind::constant);
  CHECK(none.value == 0.0);
}

}  // namespace

void check_values_explained(const Graph& graph, std::size_t cells, const std::string& topic, const std::string& where) {
  for_sampled_cells(graph, cells, [&](const Node& node, const Cell& cell) {
    measured(topic, check_value(graph, node, cell), where);
  });
}

void check_gradients_explained(const Graph& graph, std::size_t cells, const std::string& topic,
                               const std::string& where) {
  for_sampled_cells(graph, cells, [&](const Node& node, const Cell& cell) {
    if (node.gradient)
      measured(topic, check_gradient(graph, node, cell), where);
    else
      check_no_gradient(graph, node, cell);
  });
}

}  // namespace attn::test
