#include "nn/multi_head.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "ops/reduce.hpp"
#include "support/compare.hpp"
#include "support/random.hpp"

using namespace attn;
using namespace attn::test;
using nn::MultiHeadAttention;
using nn::MultiHeadSizes;

namespace {

const double kSame = 2e-6;  // two orders of summing; measured: 6e-7

Tensor run(MultiHeadAttention& layer, Record record, const Tensor& queries, const Tensor& memory,
           const Tensor& lengths = {}) {
  Graph graph({.record = record});
  const Var m = graph.constant(memory);
  return layer(graph.constant(queries), MultiHeadAttention::named(layer.project(m, m)),
               lengths ? graph.constant(lengths) : Var())
      .value();
}

MultiHeadAttention self_attention(std::size_t size, std::size_t heads) {
  Rng rng(1);
  return {{size, heads}, 0.0F, MaskRule::correct, rng};
}

const Node& step(const Graph& graph, const std::string& name) {
  const auto found = std::ranges::find_if(graph.nodes(), [&](const NodePtr& node) { return node->name == name; });
  REQUIRE(found != graph.nodes().end());
  return **found;
}

}  // namespace

TEST_CASE("multi-head: the loop over heads and the batched form give the same numbers, with and without biases") {
  for (const bool bias : {false, true})
    for (const std::size_t heads : {1U, 2U, 5U}) {
      Rng rng(heads);
      MultiHeadAttention layer({10, 10, 10, 10, heads, bias}, 0.0F, MaskRule::correct, rng);
      const Tensor queries = random({2, 4, 10}, 1), memory = random({2, 6, 10}, 2);
      for (const Tensor& lengths : {Tensor(), Tensor::of({2}, {3, 2}), Tensor::of({2, 4}, {1, 2, 3, 4, 6, 0, 6, 1})}) {
        Graph graph({});
        const Var m = graph.constant(memory);
        const Tensor looped =
            layer.looped(graph.constant(queries), m, m, lengths ? graph.constant(lengths) : Var()).value();
        check_close("looped", run(layer, Record::everything, queries, memory, lengths), looped, kSame);
        check_close("looped, not recorded", run(layer, Record::nothing, queries, memory, lengths), looped, kSame);
      }
    }
}

TEST_CASE("multi-head: queries, keys and values may have sizes of their own (B25)") {
  Rng rng(1);
  MultiHeadAttention layer({20, 30, 40, 32, 4, false}, 0.0F, MaskRule::correct, rng);
  CHECK(layer.W_q.weight.value.shape() == Shape{32, 20});
  CHECK(layer.W_k.weight.value.shape() == Shape{32, 30});
  CHECK(layer.W_v.weight.value.shape() == Shape{32, 40});
  Graph graph({});
  const auto memory = layer.project(graph.constant(random({2, 6, 30}, 1)), graph.constant(random({2, 6, 40}, 2)));
  CHECK(layer(graph.constant(random({2, 4, 20}, 3)), memory, {}).shape() == Shape{2, 4, 32});
}

TEST_CASE("multi-head: 4 hidden² parameters for every number of heads; one that does not divide is refused (B9)") {
  Rng rng(1);
  for (const std::size_t heads : {1U, 2U, 4U, 10U, 20U}) {
    MultiHeadAttention layer({100, heads}, 0.0F, MaskRule::correct, rng);
    std::size_t count = 0;
    layer.visit("a", [&count](const std::string&, Parameter& p) { count += p.value.size(); });
    CHECK(count == 40000);
  }
  CHECK_THROWS_WITH_AS(MultiHeadAttention({100, 3}, 0.0F, MaskRule::correct, rng),
                       doctest::Contains("hidden_size 100 cannot be shared out among 3 heads"), ConfigError);
  CHECK_THROWS_AS(MultiHeadAttention({100, 0}, 0.0F, MaskRule::correct, rng), ConfigError);
}

TEST_CASE("split and merge of heads: (2, 4, 100) becomes (2·5, 4, 20), row b·5 + h is head h of example b, and back") {
  Graph graph({});
  const Tensor x = random({2, 4, 100}, 1);
  const Var split = nn::split_heads(graph.constant(x), 5);
  REQUIRE(split.shape() == Shape{2, 5, 4, 20});
  const Tensor rows = split.value().reshaped({10, 4, 20});
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t h = 0; h < 5; ++h)
      for (std::size_t t = 0; t < 4; ++t)
        for (std::size_t i = 0; i < 20; ++i) CHECK(rows.at(Cell{b * 5 + h, t, i}) == x.at(Cell{b, t, h * 20 + i}));
  CHECK(largest_error(nn::merge_heads(split).value(), x) == 0.0);
}

TEST_CASE("multi-head: a head that is switched off adds nothing, the others stay") {
  Rng rng(1);
  MultiHeadAttention layer({8, 2}, 0.0F, MaskRule::correct, rng);
  const Tensor x = random({1, 3, 8}, 1);
  const auto contexts = [&](Graph& graph, const char* step) {
    for (const NodePtr& node : graph.nodes())
      if (node->name == step) return node->value;
    return Tensor();
  };
  Graph whole({}), part({});
  const auto attend = [&](Graph& graph) {
    const Var v = graph.constant(x);
    return layer(v, layer.project(v, v), {});
  };
  attend(whole);
  layer.off = {1};
  attend(part);
  const Tensor all = contexts(whole, "context"), kept = contexts(part, "kept");
  REQUIRE(kept.shape() == all.shape());
  for (std::size_t i = 0; i < 12; ++i) CHECK(kept.values()[i] == all.values()[i]);
  for (std::size_t i = 12; i < 24; ++i) CHECK(kept.values()[i] == 0.0F);
}

TEST_CASE("multi-head: one query after the other on kept keys and values equals all at once under a causal mask") {
  for (const nn::RelativeKind kind : {nn::RelativeKind::none, nn::RelativeKind::clipped, nn::RelativeKind::bias}) {
    Rng rng(1);
    MultiHeadAttention layer({8, 2}, 0.0F, MaskRule::correct, rng);
    layer.relative = nn::RelativePositions(kind, 2, 4, 2, rng);
    const Tensor x = random({2, 5, 8}, 1);
    Graph graph({.record = Record::nothing});
    const Var all = graph.constant(x);
    const Var visible = graph.constant(Tensor::of({2, 5}, {1, 2, 3, 4, 5, 1, 2, 3, 4, 5}));
    const Tensor whole = layer(all, layer.project(all, all), visible).value();
    nn::KeyValues kept;
    for (std::size_t t = 0; t < 5; ++t) {
      Tensor word({2, 1, 8});
      for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t i = 0; i < 8; ++i) word.data()[b * 8 + i] = x.at(Cell{b, t, i});
      const Var now = graph.constant(word);
      kept = MultiHeadAttention::append(kept, layer.project(now, now));
      const Tensor one = layer(now, kept, {}, t).value();
      for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t i = 0; i < 8; ++i) CHECK(std::abs(one.at(Cell{b, 0, i}) - whole.at(Cell{b, t, i})) < 1e-6);
    }
  }
}

TEST_CASE("multi-head: a length holds for all heads of its own example (B19)") {
  MultiHeadAttention layer = self_attention(10, 5);
  Graph graph({});
  const Var x = graph.constant(random({2, 4, 10}, 7));
  layer(x, layer.project(x, x), graph.constant(Tensor::of({2}, {3, 2})));
  const Tensor& weights = step(graph, "weights").value;
  REQUIRE(weights.shape() == Shape{2, 5, 4, 4});
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Cell cell = cell_at(weights.shape(), i);
    CHECK((weights.at(cell) > 0.0F) == (cell[3] < (cell[0] == 0 ? 3U : 2U)));
  }
}

TEST_CASE("multi-head: a query without a valid key gets zeros from every head, and no gradient (B3)") {
  MultiHeadAttention layer = self_attention(6, 2);
  for (const Record record : {Record::backward, Record::everything}) {
    Graph graph({.record = record});
    Parameter x{random({2, 3, 6}, 9), {}, "x"};
    const Var in = graph.parameter(x);
    const Var output = layer(in, layer.project(in, in), graph.constant(Tensor::of({2}, {0, 3})));
    for (std::size_t i = 0; i < 18; ++i) CHECK(output.value().values()[i] == 0.0F);
    graph.backward(sum(output));
    const Tensor gradient = record == Record::everything ? in.gradient() : x.gradient;
    for (std::size_t i = 0; i < 18; ++i) CHECK(gradient.values()[i] == 0.0F);
    CHECK(gradient.values()[18] != 0.0F);
  }
}

TEST_CASE("multi-head: weights are before dropout, which acts in training only (B12, B32)") {
  MultiHeadAttention layer = self_attention(8, 2);
  layer.attention.dropout = 0.5F;
  const auto run = [&layer](bool training) {
    Rng rng(15);
    Graph graph({.training = training, .rng = &rng});
    const Var x = graph.constant(random({2, 4, 8}, 16));
    const Tensor output = layer(x, layer.project(x, x), {}).value();
    return std::pair(step(graph, "weights").value, output);
  };
  CHECK(largest_error(run(true).first, run(false).first) == 0.0);
  CHECK(largest_error(run(true).second, run(false).second) > 0.01);
  CHECK(largest_error(run(false).second, run(false).second) == 0.0);
}
