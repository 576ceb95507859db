#include "labs/scoring.hpp"

#include <cmath>

#include "labs/stopwatch.hpp"
#include "nn/attention.hpp"
#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "tensor/refusal.hpp"

namespace attn::labs {
namespace {

const Axes kContext = {"batch", "query", "value"};
constexpr std::size_t kBatch = 2, kKeys = 10, kValues = 4;

struct Given {
  Var queries, keys, values, lengths;
};

/// Records: weights, context, parameters.
Var attend(const Var& scores, const Given& given, double parameters) {
  Graph& graph = scores.graph();
  const Var named = graph.name(scores, "scores", kBatchQueryKey);
  const Var weights = graph.name(masked_softmax(named, given.lengths), "weights", kBatchQueryKey);
  graph.input("parameters", {}, Tensor::scalar(static_cast<float>(parameters)));
  return graph.name(matmul(weights, given.values), "context", kContext);
}

/// x [B, n, D] with zeros behind, to `size` features.
Var padded(const Var& x, std::size_t size, const char* name, const Axes& axes) {
  if (x.size(-1) == size) return x;
  const Var zeros = x.graph().constant(Tensor::zeros({x.size(0), x.size(1), size - x.size(-1)}));
  return x.graph().name(concat({x, zeros}, -1), name, axes);
}

struct Scoring final : Lab {
  std::string scorer = "all", key_values = "equal";
  int queries = 1, query_size = 2, key_size = 2, hidden = 8, seed = 0;
  bool pad = false;
  nn::AdditiveAttention layer = {};

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.choice("scorer", scorer, {"all", "additive", "dot", "sum", "bilinear"}, "how a query and a key make a score");
    v.integer("queries", queries, 1, 10, "queries of each example");
    v.integer("query_size", query_size, 1, 64, "numbers in a query");
    v.integer("key_size", key_size, 1, 64, "numbers in a key");
    v.integer("hidden", hidden, 1, 64, "hidden units of the additive scorer");
    v.choice("keys", key_values, {"equal", "random"}, "all ones, or N(0, 1)");
    v.boolean("pad", pad, "dot and sum: fill the shorter of query and key with zeros");
    v.integer("seed", seed, 0, 1 << 30, "of queries, keys and weights");
  }

  bool wanted(const char* name) const { return scorer == "all" || scorer == name; }

  Given given(Graph& graph, Rng& rng) const {
    const Tensor q = normal({kBatch, count(queries), count(query_size)}, rng);
    Tensor k = normal({kBatch, kKeys, count(key_size)}, rng);
    if (key_values == "equal") k = Tensor::full(k.shape(), 1.0F);
    Tensor v({kBatch, kKeys, kValues});
    for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = static_cast<float>(i % (kKeys * kValues));
    return {graph.input("queries", {"batch", "query", "feature"}, q, true),
            graph.input("keys", {"batch", "key", "feature"}, k, true),
            graph.input("values", {"batch", "key", "value"}, v, true),
            graph.input("lengths", {"batch"}, Tensor::of({kBatch}, {2, 6}))};
  }

  /// What needs queries and keys of one size.
  Given of_one_size(const char* what, const Given& given) const {
    if (query_size == key_size) return given;
    if (!pad)
      throw refused<ShapeError>("scoring.sizes",
                                std::string(what) +
                                    ": a query has {query} numbers, a key {key}; each number needs its "
                                    "partner. Additive scoring and qᵀMk need none",
                                {{"query", std::to_string(query_size)}, {"key", std::to_string(key_size)}});
    const std::size_t size = count(std::max(query_size, key_size));
    return {padded(given.queries, size, "padded.queries", {"batch", "query", "feature"}),
            padded(given.keys, size, "padded.keys", {"batch", "key", "feature"}), given.values, given.lengths};
  }

  void additive(Graph& graph, const Given& x, Rng& rng) {
    layer = nn::AdditiveAttention(count(key_size), count(query_size), count(hidden), 0.0F, rng);
    layer.visit("additive", [](const std::string& path, Parameter& parameter) { parameter.name = path; });
    const auto scope = graph.scope("additive");
    layer(x.queries, layer.project_keys(x.keys), x.values, x.lengths);
    graph.input("parameters", {}, Tensor::scalar(static_cast<float>(hidden * (query_size + key_size + 1))));
  }

  static void dot(Graph& graph, const Given& x) {
    const auto scope = graph.scope("dot");
    const float factor = 1.0F / std::sqrt(static_cast<float>(x.keys.size(-1)));
    const Var raw = graph.name(matmul_transposed(x.queries, x.keys), "raw", kBatchQueryKey);
    const Var context = attend(scale(raw, factor, "1/√d"), x, 0);
    const auto inner = graph.scope("loop");
    difference(graph.name(looped(x, factor), "context", kContext), context, "difference");
  }

  /// The same one query at a time, its scores one key at a time.
  static Var looped(const Given& x, float factor) {
    Vars contexts;
    for (std::size_t b = 0; b < x.queries.size(0); ++b)
      for (std::size_t i = 0; i < x.queries.size(1); ++i) {
        const Var query = select(select(x.queries, 0, b), 0, i), keys = select(x.keys, 0, b);
        Vars scores;
        for (std::size_t j = 0; j < kKeys; ++j)
          scores.push_back(scale(sum(query * select(keys, 0, j)), factor, "1/√d"));
        const Var row = reshape(stack(scores, 0), {1, kKeys});
        const Var weights = masked_softmax(row, slice(x.lengths, 0, b, 1));
        contexts.push_back(matmul(weights, select(x.values, 0, b)));
      }
    return reshape(concat(contexts, 0), {x.queries.size(0), x.queries.size(1), kValues});
  }

  static void vector_sum(Graph& graph, const Given& x) {
    const auto scope = graph.scope("sum");
    const Var of_query = reshape(sum(x.queries, -1), {kBatch, x.queries.size(1), 1});
    const Var of_key = reshape(sum(x.keys, -1), {kBatch, 1, kKeys});
    attend(of_query + of_key, x, 0);
  }

  void bilinear(Graph& graph, const Given& x, Rng& rng) const {
    const auto scope = graph.scope("bilinear");
    const Tensor m = nn::xavier_uniform(count(query_size), count(key_size), rng);
    const Var matrix = graph.input("matrix", {"row", "column"}, m, true);
    const Var projected = graph.name(matmul(x.queries, matrix), "projected", {"batch", "query", "feature"});
    attend(matmul_transposed(projected, x.keys), x, static_cast<double>(m.size()));
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const Given x = given(graph, rng);
    if (wanted("additive")) additive(graph, x, rng);
    if (wanted("bilinear")) bilinear(graph, x, rng);
    if (!wanted("dot") && !wanted("sum")) return {};
    const Given same = of_one_size(wanted("dot") ? "dot product" : "sum", x);
    if (wanted("dot")) dot(graph, same);
    if (wanted("sum")) vector_sum(graph, same);
    return {};
  }
};

struct AdditiveConcat final : Lab {
  int query_size = 3, key_size = 2, hidden = 4, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("query_size", query_size, 1, 32, "numbers in the query");
    v.integer("key_size", key_size, 1, 32, "numbers in the key");
    v.integer("hidden", hidden, 1, 32, "hidden units");
    v.integer("seed", seed, 0, 1 << 30, "of all numbers");
  }

  /// tanh, then w_v: the hidden units and the score.
  static Var score(const Var& pre, const Var& w_v) {
    Graph& graph = pre.graph();
    const Var hidden = graph.name(tanh(pre), "hidden", {"hidden"});
    return graph.name(sum(w_v * hidden), "score", {});
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const std::size_t q = count(query_size), k = count(key_size), h = count(hidden);
    const Var query = graph.input("query", {"feature"}, normal({q}, rng), true);
    const Var key = graph.input("key", {"feature"}, normal({k}, rng), true);
    const Var w_q = graph.input("W_q", {"hidden", "feature"}, nn::xavier_uniform(h, q, rng), true);
    const Var w_k = graph.input("W_k", {"hidden", "feature"}, nn::xavier_uniform(h, k, rng), true);
    const Var w_v = graph.input("w_v", {"hidden"}, nn::xavier_uniform(1, h, rng).reshaped({h}), true);
    const Var added = sum_of_two(query, key, w_q, w_k, w_v);
    const auto scope = graph.scope("joined");
    const Var input = graph.name(concat({query, key}, 0), "input", {"feature"});
    const Var weight = graph.name(concat({w_q, w_k}, 1), "weight", {"hidden", "feature"});
    const Var joined = score(linear(input, weight), w_v);
    difference(added, joined, "difference");
    return {};
  }

  static Var sum_of_two(const Var& query, const Var& key, const Var& w_q, const Var& w_k, const Var& w_v) {
    Graph& graph = query.graph();
    const auto scope = graph.scope("added");
    const Var of_query = graph.name(linear(query, w_q), "query", {"hidden"});
    const Var of_key = graph.name(linear(key, w_k), "key", {"hidden"});
    return score(of_query + of_key, w_v);
  }
};

struct ScoringCosts final : Lab {
  int queries = 32, keys = 32, size = 32, hidden = 32, repeats = 5, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("queries", queries, 1, 512, "how many ask");
    v.integer("keys", keys, 1, 512, "how many are asked");
    v.integer("size", size, 1, 256, "numbers in a query and in a key");
    v.integer("hidden", hidden, 1, 256, "hidden units of the additive scorer");
    v.integer("repeats", repeats, 1, 50, "passes, of which the fastest counts");
    v.integer("seed", seed, 0, 1 << 30, "of all numbers");
  }

  template <class F>
  void measure(Graph& graph, const char* name, double parameters, F&& pass) const {
    const std::size_t before = kernels::multiply_adds();
    pass();
    const std::size_t products = kernels::multiply_adds() - before;
    const double best = fastest_ms(repeats, pass);
    const auto scope = graph.scope(name);
    graph.input("multiply_adds", {}, Tensor::scalar(static_cast<float>(products)));
    graph.input("milliseconds", {}, Tensor::scalar(static_cast<float>(best)));
    graph.input("parameters", {}, Tensor::scalar(static_cast<float>(parameters)));
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const std::size_t d = count(size);
    Graph quick({.record = Record::nothing});
    const Var q = quick.constant(normal({1, count(queries), d}, rng));
    const Var k = quick.constant(normal({1, count(keys), d}, rng));
    nn::AdditiveAttention additive(d, d, count(hidden), 0.0F, rng);
    const nn::DotProductAttention dot;
    measure(graph, "additive", hidden * (2.0 * size + 1.0), [&] { additive(q, additive.project_keys(k), k, {}); });
    measure(graph, "dot", 0.0, [&] { dot(q, k, k, {}); });
    return {};
  }
};

}  // namespace

models::Kind scoring() { return lab<Scoring>("scoring", "four scorers on one set of queries, keys and values"); }
models::Kind additive_concat() {
  return lab<AdditiveConcat>("additive-concat", "additive scoring is one layer on the joined query and key");
}
models::Kind scoring_costs() {
  return lab<ScoringCosts>("scoring-costs", "additive and dot-product scoring, measured");
}

}  // namespace attn::labs
