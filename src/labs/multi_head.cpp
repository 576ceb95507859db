#include "labs/multi_head.hpp"

#include <algorithm>

#include "labs/stopwatch.hpp"
#include "nn/multi_head.hpp"
#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/reduce.hpp"
#include "tensor/refusal.hpp"

namespace attn::labs {
namespace {

void number(Graph& graph, const std::string& name, double value) {
  graph.input(name, {}, Tensor::scalar(static_cast<float>(value)));
}

/// The largest of all entries.
Var largest(const Var& x) {
  Var row = reshape(x, {x.value().size()});
  while (row.size(0) > 1) {  // halves against each other
    const std::size_t half = (row.size(0) + 1) / 2;
    row = max(slice(row, 0, 0, half), slice(row, 0, row.size(0) - half, half));
  }
  return select(row, 0, 0);
}

struct Given {
  Var queries, keys, values, lengths;
};

struct MultiHead final : Lab {
  int batch = 2, queries = 4, keys = 6, query_size = 100, key_size = 100, value_size = 100, hidden = 100, heads = 5;
  int disturb = 0, repeats = 0, seed = 0;
  bool bias = false;
  std::string given = "random";
  nn::MultiHeadAttention layer = {}, disturbed = {};

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("batch", batch, 1, 4, "examples");
    v.integer("queries", queries, 1, 64, "queries of each");
    v.integer("keys", keys, 1, 64, "keys of each, and as many values");
    v.integer("query_size", query_size, 1, 256, "numbers in a query");
    v.integer("key_size", key_size, 1, 256, "numbers in a key");
    v.integer("value_size", value_size, 1, 256, "numbers in a value");
    v.integer("hidden", hidden, 1, 256, "features of all heads together");
    v.integer("heads", heads, 1, 64, "heads that share them");
    v.boolean("bias", bias, "the four projections add a bias");
    v.choice("given", given, {"random", "ones"}, "queries, keys and values: N(0, 1), or all ones");
    v.integer("disturb", disturb, 0, 64, "a head whose rows of W_q get noise added, counted from 1; 0: none");
    v.integer("repeats", repeats, 0, 50, "passes that are timed, of which the fastest counts; 0: none");
    v.integer("seed", seed, 0, 1 << 30, "of all numbers");
  }

  /// Its own draws for each kind of number: none depends on how many others there are.
  Rng draws(int kind) const { return Rng(static_cast<std::uint64_t>(seed) + (static_cast<std::uint64_t>(kind) << 32)); }

  nn::MultiHeadAttention made() const {
    Rng rng = draws(0), of_biases = draws(1);
    nn::MultiHeadAttention out(
        {count(query_size), count(key_size), count(value_size), count(hidden), count(heads), false}, 0.0F,
        MaskRule::correct, rng);
    if (bias)
      for (nn::Linear* linear : {&out.W_q, &out.W_k, &out.W_v, &out.W_o})
        linear->bias.value = normal({count(hidden)}, of_biases, 0.1F);
    out.visit("", [](const std::string& path, Parameter& p) { p.name = path.substr(1); });
    return out;
  }

  Given inputs_of(Graph& graph) const {
    Rng rng = draws(2);
    const auto drawn = [&](int rows, int size) {
      const Shape shape = {count(batch), count(rows), count(size)};
      return given == "ones" ? Tensor::full(shape, 1.0F) : normal(shape, rng);
    };
    Tensor lengths({count(batch)});
    for (std::size_t b = 0; b < lengths.size(); ++b)
      lengths.data()[b] = static_cast<float>(std::min(keys, b % 2 == 0 ? 3 : 2));
    return {graph.input("input.queries", {"batch", "query", "feature"}, drawn(queries, query_size), true),
            graph.input("input.keys", {"batch", "key", "feature"}, drawn(keys, key_size), true),
            graph.input("input.values", {"batch", "key", "feature"}, drawn(keys, value_size), true),
            graph.input("lengths", {"batch"}, lengths)};
  }

  static Var batched(nn::MultiHeadAttention& layer, const Given& x) {
    return layer(x.queries, nn::MultiHeadAttention::named(layer.project(x.keys, x.values)), x.lengths);
  }
  static Var looped(nn::MultiHeadAttention& layer, const Given& x) {
    return layer.looped(x.queries, x.keys, x.values, x.lengths);
  }

  Result run(Graph& graph) override {
    layer = made();
    if (disturb > heads)
      throw refused<ConfigError>("heads.none", "multi-head: there is no head {head} to disturb; there are {heads}",
                                 {{"head", std::to_string(disturb)}, {"heads", std::to_string(heads)}});
    const Given x = inputs_of(graph);
    show_weights(graph, layer);
    Var output, other;
    {
      const auto scope = graph.scope("batched");
      output = batched(layer, x);
    }
    {
      const auto scope = graph.scope("loop");
      other = looped(layer, x);
    }
    difference(output, other, "difference");
    graph.name(largest(abs(output - other)), "largest", {});
    count_parameters(graph);
    measure(graph);
    if (disturb > 0) show_disturbed(graph, x, output);
    return {{}, {}, labels(), {}};
  }

  /// Weights are there before the layer reads them, with words for their axes.
  static void show_weights(Graph& graph, nn::MultiHeadAttention& layer) {
    layer.visit("", [&graph](const std::string&, Parameter& p) {
      const Var leaf = graph.parameter(p);
      leaf.node().axes = leaf.shape().rank() == 2 ? Axes{"hidden", "from"} : Axes{"hidden"};
    });
  }

  std::vector<models::Labels> labels() const {
    models::Labels rows{"", "hidden", {}};
    const int size = hidden / heads;
    for (int i = 0; i < hidden; ++i)
      rows.words.push_back(std::to_string(i / size + 1) + "·" + std::to_string(i % size + 1));
    return {std::move(rows), {"", "head", numbered(count(heads))}};
  }

  void count_parameters(Graph& graph) {
    const double h = hidden;
    number(graph, "sizes.hidden", h);
    number(graph, "sizes.head", static_cast<double>(hidden / heads));
    number(graph, "parameters.query", h * query_size);
    number(graph, "parameters.key", h * key_size);
    number(graph, "parameters.value", h * value_size);
    number(graph, "parameters.output", h * h);
    number(graph, "parameters.bias", bias ? 4 * h : 0.0);
    double all = 0.0;
    layer.visit("", [&all](const std::string&, const Parameter& p) { all += static_cast<double>(p.value.size()); });
    number(graph, "parameters", all);
    number(graph, "parameters.formula", h * (query_size + key_size + value_size + hidden));
  }

  /// On the same numbers, all keys seen, without a record.
  void measure(Graph& graph) {
    Graph quick({.record = Record::nothing});
    Given x = inputs_of(quick);
    x.lengths = {};  // the fused pass would leave out what is hidden
    const auto each = [&](const std::string& name, Var (*pass)(nn::MultiHeadAttention&, const Given&)) {
      const std::size_t before = kernels::multiply_adds();
      pass(layer, x);
      number(graph, "multiply_adds." + name, static_cast<double>(kernels::multiply_adds() - before));
      if (repeats == 0) return;
      number(graph, "milliseconds." + name, fastest_ms(repeats, [&] { pass(layer, x); }));
    };
    each("batched", batched);
    each("loop", looped);
  }

  void show_disturbed(Graph& graph, const Given& x, const Var& output) {
    const std::size_t size = count(hidden / heads), row = count(query_size);
    disturbed = made();
    Rng rng = draws(3);
    const Tensor noise = normal({size, row}, rng);
    Tensor& w = disturbed.W_q.weight.value;
    float* rows = w.data() + count(disturb - 1) * size * row;
    for (std::size_t i = 0; i < noise.size(); ++i) rows[i] += noise.data()[i];
    disturbed.visit("", [](const std::string&, Parameter& p) { p.name = ""; });
    disturbed.W_q.weight.name = "disturbed.W_q.weight";
    graph.parameter(disturbed.W_q.weight).node().axes = {"hidden", "from"};
    Var found;
    {
      const auto scope = graph.scope("disturbed");
      found = batched(disturbed, x);
    }
    const Var change = context(graph, "disturbed.context") - context(graph, "batched.context");
    const Var by_head = reshape(transpose(change, {1, 0, 2, 3}), {count(heads), change.value().size() / count(heads)});
    graph.name(sqrt(sum(square(by_head), 1)), "disturbed.heads", {"head"});
    difference(found, output, "disturbed.change");
  }

  static Var context(const Graph& graph, std::string_view name) {
    const auto found = std::ranges::find_if(graph.nodes(), [name](const NodePtr& node) { return node->name == name; });
    return Var(*found);
  }
};

}  // namespace

models::Kind multi_head() {
  return lab<MultiHead>("multi-head", "multi-head attention, batched and head by head, with sizes of one's choice");
}

}  // namespace attn::labs
