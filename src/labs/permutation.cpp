#include "labs/permutation.hpp"

#include <algorithm>
#include <numeric>

#include "nn/attention.hpp"
#include "nn/positions.hpp"
#include "ops/arithmetic.hpp"
#include "ops/embedding.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "tensor/refusal.hpp"
#include "text/preprocess.hpp"

namespace attn::labs {
namespace {

const Axes kTimeFeature = {"time", "feature"};
constexpr int kMost = 32;

/// A number for the word (FNV-1a): the same in every sentence.
std::uint64_t number_of(const std::string& word) {
  std::uint64_t out = 14695981039346656037ULL;
  for (const char byte : word) out = (out ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return out;
}

struct Permutation final : Lab {
  int words = 6, size = 8, seed = 0;
  std::string order = "reversed", sentence;
  bool tied = false;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.text("sentence", sentence, "2 to 32 words; empty: so many words that mean nothing");
    v.integer("words", words, 2, kMost, "words where no sentence is given");
    v.integer("size", size, 1, 64, "numbers of a word");
    v.choice("order", order, {"reversed", "rotated", "shuffled"}, "the other order");
    v.boolean("tied", tied, "queries and keys by one matrix");
    v.integer("seed", seed, 0, 1 << 30, "of words, weights and a shuffled order");
  }

  /// The words as they are read, or their numbers.
  std::vector<std::string> read() const {
    if (sentence.empty()) return numbered(count(words));
    std::vector<std::string> out = text::split(text::preprocess_typed(sentence));
    if (out.size() < 2 || out.size() > count(kMost))
      throw refused<DataError>("permutation.words",
                               "permutation: a sentence of 2 to {most} words is needed; this has {words}",
                               {{"most", std::to_string(kMost)}, {"words", std::to_string(out.size())}});
    return out;
  }

  /// A vector for each word, which depends on the word alone; without a sentence each is another.
  Tensor vectors(const std::vector<std::string>& read) const {
    if (sentence.empty()) {
      Rng rng = draws(1);
      return normal({read.size(), count(size)}, rng);
    }
    Tensor out({read.size(), count(size)});
    for (std::size_t i = 0; i < read.size(); ++i) {
      Rng rng(number_of(read[i]) ^ static_cast<std::uint64_t>(seed));
      const Tensor vector = normal({count(size)}, rng);
      std::ranges::copy(vector.values(), out.data() + i * count(size));
    }
    return out;
  }

  /// Its own draws for weights, words and order, so that none depends on how many the others are.
  Rng draws(int kind) const { return Rng(static_cast<std::uint64_t>(seed) + (static_cast<std::uint64_t>(kind) << 32)); }

  Tensor other_order(std::size_t n) const {
    Rng rng = draws(2);
    Tensor out = counting({n});
    if (order == "reversed") std::ranges::reverse(out.mutable_values());
    if (order == "rotated") std::ranges::rotate(out.mutable_values(), out.mutable_values().begin() + 1);
    if (order == "shuffled") rng.shuffle(out.mutable_values());
    return out;
  }

  struct Weights {
    Var q, k, v;
  };
  Weights weights(Graph& graph) const {
    Rng rng = draws(0);
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

  static std::vector<models::Labels> labels(const std::vector<std::string>& read, const Tensor& order) {
    std::vector<std::string> moved;
    for (const float at : order.values()) moved.push_back(read[static_cast<std::size_t>(at)]);
    std::vector<models::Labels> out;
    for (const char* axis : {"time", "query", "key"}) {
      out.push_back({"", axis, read});
      for (const char* of : {"without.moved.", "with.moved."}) out.push_back({of, axis, moved});
    }
    for (const char* step : {"order", "moved", "without.expected", "with.expected"})
      out.push_back({step, "time", moved, true});
    return out;
  }

  Result run(Graph& graph) override {
    const std::vector<std::string> words_read = read();
    const std::size_t n = words_read.size();
    const Var x = graph.input("input", kTimeFeature, vectors(words_read), true);
    const Weights w = weights(graph);
    const Var ids = graph.input("order", {"time"}, other_order(n));
    const Var moved = graph.name(embedding(ids, x), "moved", kTimeFeature);
    const Var positions = graph.input("positions", kTimeFeature, nn::sinusoids(0, n, count(size)));
    {
      const auto scope = graph.scope("without");
      compare(x, moved, ids, w);
    }
    const auto scope = graph.scope("with");
    compare(x + positions, moved + positions, ids, w);
    return {{}, {}, labels(words_read, ids.value()), {}};
  }
};

}  // namespace

models::Kind permutation() {
  return lab<Permutation>("permutation",
                          "a sentence in another order through self-attention, without and with positions");
}

}  // namespace attn::labs
