#include "labs/cues.hpp"

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"

namespace attn::labs {
namespace {

const Axes kKey = {"key"};

/// Σ weights · values, and what the weights add up to. Records: <who>.weights, <who>.output, <who>.total.
Var spend(const char* who, const Var& scores, const Var& values) {
  Graph& graph = scores.graph();
  const auto scope = graph.scope(who);
  const Var weights = graph.name(softmax(scores), "weights", kKey);
  graph.name(sum(weights), "total", {});
  graph.name(sum(weights * values), "output", {});
  return weights;
}

struct Cues final : Lab {
  bool red_cup = true;
  std::string intention = "none";
  double strength = 6.0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.boolean("red_cup", red_cup, "the cup is red, everything else grey");
    v.choice("intention", intention, {"none", "read", "drink", "write"}, "what one is after");
    v.number("strength", strength, 0.0, 20.0, "how much one is after it");
  }

  Var query(Graph& graph) const {
    Tensor wish = Tensor::zeros({3});
    const std::vector<std::string> purposes = {"read", "drink", "write"};
    for (std::size_t i = 0; i < 3; ++i)
      if (intention == purposes[i]) wish.data()[i] = static_cast<float>(strength);
    return graph.input("query", {"purpose"}, wish, true);
  }

  Result run(Graph& graph) override {
    const Var saliency = graph.input("saliency", kKey, Tensor::of({5}, {0, 0, red_cup ? 2.5F : 0.0F, 0, 0}), true);
    const Var keys =
        graph.input("keys", {"key", "purpose"},
                    Tensor::of({5, 3}, {0.4F, 0, 0, 0.1F, 0, 0.6F, 0, 1, 0, 0.2F, 0, 1, 1, 0, 0.1F}), true);
    const Var wish = query(graph);
    const Var values = graph.input("values", kKey, Tensor::of({5}, {2, 1, 5, 3, 4}), true);
    const Var match = graph.name(reshape(matmul(keys, reshape(wish, {3, 1})), {5}), "match", kKey);
    spend("involuntary", saliency, values);
    const Var scores = graph.name(saliency + match, "attention.scores", kKey);
    const Var weights = spend("attention", scores, values);
    spend("pooling", graph.constant(Tensor::zeros({5})), values);
    by_hand(graph, weights);
    Result result;
    result.labels = {{"", "key", {"newspaper", "paper", "cup", "notebook", "book"}, false, true},
                     {"", "purpose", {"read", "drink", "write"}, false, true}};
    return result;
  }

  static void by_hand(Graph& graph, const Var& weights) {
    const auto scope = graph.scope("by_hand");
    const Var shares = graph.input("shares", kKey, Tensor::full({5}, 0.2F));
    const Var total = graph.name(sum(shares), "total", {});
    graph.name(graph.constant(Tensor::scalar(1.0F)) - total, "left", {});
    graph.name(scale(sum(abs(shares - weights)), 0.5F, "1/2"), "elsewhere", {});
  }
};

struct Lookup final : Lab {
  double query = 2.4, width = 0.5;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.number("query", query, -1.0, 6.0, "where one asks");
    v.number("width", width, 0.02, 10.0, "how far a key is heard");
  }

  /// −((query − key) / width)² / 2 and what follows. queries [m, 1] or [1], keys [n].
  void attend(const Var& queries, const Var& keys, const Var& values, const Axes& axes) const {
    Graph& graph = keys.graph();
    const Var distance = graph.name(queries - keys, "distance", axes);
    const Var u = scale(distance, static_cast<float>(1.0 / width), "1/width");
    const Var scores = graph.name(scale(square(u), -0.5F, "−1/2"), "scores", axes);
    const Var weights = graph.name(softmax(scores), "weights", axes);
    const Var output = sum(weights * values, -1);
    graph.name(output, "output", axes.size() == 1 ? Axes{} : Axes{"query"});
  }

  Result run(Graph& graph) override {
    const Var keys = graph.input("keys", kKey, counting({6}), true);
    const Var values = graph.input("values", kKey, Tensor::of({6}, {1, 3, 2, 5, 4, 0}), true);
    const Var asked = graph.input("query", {}, Tensor::scalar(static_cast<float>(query)), true);
    attend(asked, keys, values, kKey);
    const Var equal = graph.name(softmax(graph.constant(Tensor::zeros({6}))), "pooling.weights", kKey);
    graph.name(sum(equal * values), "pooling.output", {});
    const auto scope = graph.scope("curve");
    constexpr std::size_t places = 141;
    Tensor line({places});
    for (std::size_t i = 0; i < places; ++i) line.data()[i] = (static_cast<float>(i) - 20.0F) / 20.0F;  // −1 … 6
    const Var along = graph.input("query", {"query"}, line);
    attend(reshape(along, {places, 1}), keys, values, kQueryKey);
    return labelled("query", along.value());
  }
};

struct SoftmaxAxis final : Lab {
  int size = 10, seed = 0;
  std::string scores = "random";

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("size", size, 1, 40, "queries, and as many keys");
    v.integer("seed", seed, 0, 1 << 30, "of random scores");
    v.choice("scores", scores, {"random", "identity"}, "N(0, 1), or 1 where query and key have one number, else 0");
  }

  Tensor matrix() const {
    const std::size_t n = count(size);
    Rng rng(static_cast<std::uint64_t>(seed));
    Tensor out = normal({n, n}, rng);
    for (std::size_t i = 0; scores == "identity" && i < n * n; ++i) out.data()[i] = i % (n + 1) == 0 ? 1.0F : 0.0F;
    return out;
  }

  static void sums(const Var& weights, const char* of) {
    Graph& graph = weights.graph();
    const auto scope = graph.scope(of);
    const Var named = graph.name(weights, "weights", kQueryKey);
    graph.name(sum(named, 1), "row_sums", {"query"});
    graph.name(sum(named, 0), "column_sums", {"key"});
  }

  Result run(Graph& graph) override {
    const Var given = graph.input("scores", kQueryKey, matrix(), true);
    const Var rows = softmax(given);
    sums(rows, "rows");
    sums(transpose(softmax(transpose(given, {1, 0})), {1, 0}), "columns");
    graph.name(transpose(rows, {1, 0}), "turned", {"key", "query"});
    return {};
  }
};

}  // namespace

models::Kind cues() { return lab<Cues>("cues", "five things on a desk: saliency, a query, and one look to share out"); }
models::Kind lookup() { return lab<Lookup>("lookup", "a query slides along a line of keys and values"); }
models::Kind softmax_axis() {
  return lab<SoftmaxAxis>("softmax-axis", "softmax along the right axis and the wrong one");
}

}  // namespace attn::labs
