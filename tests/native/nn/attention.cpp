#include "nn/attention.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "ops/reduce.hpp"
#include "support/compare.hpp"
#include "support/random.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// The chapter's toy: two examples, one query of size 20 each, ten keys of size 2, values 0 … 39 in rows of four.
struct Toy {
  Graph graph{{}};
  nn::AdditiveAttention attention;
  Var values, lengths;

  explicit Toy(std::uint64_t seed, std::initializer_list<float> lens = {2, 6}) {
    Rng rng(seed);
    attention = nn::AdditiveAttention(2, 20, 8, 0.1F, rng);
    Tensor v({2, 10, 4});
    for (std::size_t i = 0; i < 80; ++i) v.mutable_values()[i] = static_cast<float>(i % 40);
    values = graph.constant(v);
    lengths = graph.constant(Tensor::of({2}, lens));
  }
  Tensor run(const Tensor& keys) {
    return attention(graph.constant(random({2, 1, 20}, 7)), attention.project_keys(graph.constant(keys)), values,
                     lengths)
        .value();
  }
};

std::map<std::string, const Node*> steps(const Graph& graph) {
  std::map<std::string, const Node*> out;
  for (const NodePtr& node : graph.nodes())
    if (!node->name.empty()) out[node->name] = node.get();
  return out;
}

}  // namespace

TEST_CASE("additive attention: equal keys give the mean of the valid values, whatever the weights") {
  for (const std::uint64_t seed : {1U, 2U, 3U})
    check_close("context", Toy(seed).run(Tensor::full({2, 10, 2}, 1.0F)),
                Tensor::of({2, 1, 4}, {2, 3, 4, 5, 10, 11, 12, 13}), 1e-6);
}

TEST_CASE("additive attention: one key that differs changes the result, a hidden one does not") {
  Tensor seen = Tensor::full({2, 10, 2}, 1.0F), hidden = seen.copy();
  seen.mutable_values()[0] = 3.0F;
  hidden.mutable_values()[2 * 5] = 3.0F;  // the first example has two valid keys
  const Tensor even = Toy(1).run(Tensor::full({2, 10, 2}, 1.0F));
  CHECK(largest_error(Toy(1).run(seen), even) > 1e-3);
  CHECK(largest_error(Toy(1).run(hidden), even) == 0.0);
}

TEST_CASE("additive attention: a query with no valid key gets zeros, in the book's way the mean of everything (B3)") {
  Toy correct(1, {0, 6}), book(1, {0, 6});
  book.attention.rule = MaskRule::book;
  const Tensor keys = random({2, 10, 2}, 8), none = correct.run(keys), all = book.run(keys);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(none.values()[i] == 0.0F);
    CHECK(error_of(all.values()[i], 18.0 + static_cast<double>(i)) <= 1e-6);
  }
}

TEST_CASE("additive attention: records its steps with named axes, and each row of weights sums to 1") {
  Toy toy(4);
  toy.run(random({2, 10, 2}, 9));
  auto named = steps(toy.graph);
  CHECK(named.at("query_projected")->value.shape() == Shape{2, 1, 8});
  CHECK(named.at("keys_projected")->value.shape() == Shape{2, 10, 8});
  CHECK(named.at("features")->value.shape() == Shape{2, 1, 10, 8});
  CHECK(named.at("scores")->axes == Axes{"batch", "query", "key"});
  CHECK(named.at("context")->value.shape() == Shape{2, 1, 4});
  const Tensor& weights = named.at("weights")->value;
  for (std::size_t b = 0; b < 2; ++b) {
    double total = 0.0;
    for (std::size_t key = 0; key < 10; ++key) total += weights.at(Cell{b, 0, key});
    CHECK(std::abs(total - 1.0) < 1e-6);
  }
  CHECK(weights.at(Cell{0, 0, 2}) == 0.0F);
}

TEST_CASE("additive attention: the step \"weights\" is before dropout, which acts in training only (B32)") {
  Toy toy(5);
  toy.attention.dropout = 0.5F;
  const auto run = [&toy](bool training) {
    Rng rng(1);
    Graph graph({.training = training, .rng = &rng});
    const Var keys = toy.attention.project_keys(graph.constant(random({2, 10, 2}, 10)));
    const Var values = graph.constant(toy.values.value());
    const Var context = toy.attention(graph.constant(random({2, 1, 20}, 11)), keys, values, {});
    return std::pair(steps(graph).at("weights")->value, context.value());
  };
  const auto [looking, context] = run(false);
  const auto [training, dropped] = run(true);
  CHECK(largest_error(looking, training) == 0.0);
  CHECK(largest_error(context, dropped) > 0.1);
}

TEST_CASE("additive attention: has three weights and no bias: hidden × (query + key + 1) numbers") {
  Rng rng(6);
  nn::AdditiveAttention attention(2, 20, 8, 0.0F, rng);
  std::map<std::string, std::size_t> sizes;
  attention.visit("attention", [&](const std::string& path, Parameter& p) { sizes[path] = p.value.size(); });
  CHECK(sizes == std::map<std::string, std::size_t>{
                     {"attention.W_k.weight", 16}, {"attention.W_q.weight", 160}, {"attention.w_v.weight", 8}});
}

TEST_CASE("additive attention: refuses queries and keys of another size than its weights") {
  Toy toy(1);
  CHECK_THROWS_AS(toy.attention.project_keys(toy.graph.constant(Tensor::zeros({2, 10, 3}))), ShapeError);
  const Var keys = toy.attention.project_keys(toy.graph.constant(Tensor::zeros({2, 10, 2})));
  CHECK_THROWS_AS(toy.attention(toy.graph.constant(Tensor::zeros({2, 1, 2})), keys, toy.values, {}), ShapeError);
}
