#include "labs/permutation.hpp"

#include <algorithm>
#include <numeric>

#include "nn/attention.hpp"
#include "nn/positions.hpp"
#include "ops/arithmetic.hpp"
#include "ops/embedding.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"

namespace attn::labs {
namespace {

const Axes kTimeFeature = {"time", "feature"};

struct Permutation final : Lab {
  int words = 6, size = 8, seed = 0;
  std::string order = "reversed";
  bool tied = false;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("words", words, 2, 32, "words of the sentence");
    v.integer("size", size, 1, 64, "numbers of a word");
    v.choice("order", order, {"reversed", "rotated", "shuffled"}, "the other order");
    v.boolean("tied", tied, "queries and keys by one matrix");
    v.integer("seed", seed, 0, 1 << 30, "of words, weights and a shuffled order");
  }

  Tensor other_order(Rng& rng) const {
    Tensor out = counting({count(words)});
    if (order == "reversed") std::ranges::reverse(out.mutable_values());
    if (order == "rotated") std::ranges::rotate(out.mutable_values(), out.mutable_values().begin() + 1);
    if (order == "shuffled") rng.shuffle(out.mutable_values());
    return out;
  }

  struct Weights {
    Var q, k, v;
  };
  Weights weights(Graph& graph, Rng& rng) const {
    const auto matrix = [&](const char* name) {
      return graph.input(name, {"from", "to"}, nn::xavier_uniform(count(size), count(size), rng), true);
    };
    const Var q = matrix("W_q");
    return {q, tied ? graph.name(transpose(transpose(q, {1, 0}), {1, 0}), "W_k", {"from", "to"}) : matrix("W_k"),
            matrix("W_v")};
  }

  struct Attended {
    Var scores, output;
  };
  static Attended attend(const Var& x, const Weights& w) {
    Graph& graph = x.graph();
    const Var q = graph.name(matmul(x, w.q), "queries", kTimeFeature);
    const Var k = graph.name(matmul(x, w.k), "keys", kTimeFeature);
    const Var v = graph.name(matmul(x, w.v), "values", kTimeFeature);
    const Var scores = graph.name(nn::scaled_dot_product(q, k), "scores", kQueryKey);
    const Var weights = graph.name(softmax(scores), "weights", kQueryKey);
    return {scores, graph.name(matmul(weights, v), "output", kTimeFeature)};
  }

  static void compare(const Var& x, const Var& moved, const Var& ids, const Weights& w) {
    Graph& graph = x.graph();
    const Attended there = attend(x, w);
    const Var expected = graph.name(embedding(ids, there.output), "expected", kTimeFeature);
    difference(there.scores, transpose(there.scores, {1, 0}), "asymmetry");
    Var output;
    {
      const auto scope = graph.scope("moved");
      output = attend(moved, w).output;
    }
    difference(output, expected, "difference");
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const Var x = graph.input("input", kTimeFeature, normal({count(words), count(size)}, rng), true);
    const Weights w = weights(graph, rng);
    const Var ids = graph.input("order", {"time"}, other_order(rng));
    const Var moved = graph.name(embedding(ids, x), "moved", kTimeFeature);
    const Var positions = graph.input("positions", kTimeFeature, nn::sinusoids(0, count(words), count(size)));
    {
      const auto scope = graph.scope("without");
      compare(x, moved, ids, w);
    }
    const auto scope = graph.scope("with");
    compare(x + positions, moved + positions, ids, w);
    return {};
  }
};

}  // namespace

models::Kind permutation() {
  return lab<Permutation>("permutation",
                          "a sentence in another order through self-attention, without and with positions");
}

}  // namespace attn::labs
