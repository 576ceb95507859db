#include "labs/heads.hpp"

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"
#include "tensor/refusal.hpp"

namespace attn::labs {
namespace {

const Axes kQueryValue = {"query", "value"};

struct Heads final : Lab {
  int words = 5;
  double sharpness = 8.0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("words", words, 2, 12, "words of the sentence");
    v.number("sharpness", sharpness, 0.0, 30.0, "score of the word that a head is made to look at");
  }

  /// A matrix that turns a word's place into the place where it looks: row i has its 1 at target(i).
  template <class F>
  Tensor looking_at(F&& target) const {
    const std::size_t n = count(words);
    Tensor out = Tensor::zeros({n, n});
    for (std::size_t i = 0; i < n; ++i) out.data()[i * n + target(i)] = static_cast<float>(sharpness);
    return out;
  }

  static Var attend(const Var& scores, const Var& content) {
    Graph& graph = scores.graph();
    const Var weights = graph.name(softmax(scores), "weights", kQueryKey);
    return graph.name(matmul(weights, content), "output", kQueryValue);
  }

  struct Head {
    Var scores, output;
  };
  static Head head(const char* name, const Var& places, const Tensor& looks, const Var& content) {
    Graph& graph = places.graph();
    const auto scope = graph.scope(name);
    const Var w_q = graph.input("W_q", {"from", "to"}, looks, true);
    const Var scores = graph.name(matmul_transposed(matmul(places, w_q), places), "scores", kQueryKey);
    return {scores, attend(scores, content)};
  }

  Result run(Graph& graph) override {
    const std::size_t n = count(words);
    Tensor numbers({n, 1}), unit = Tensor::zeros({n, n});
    for (std::size_t i = 0; i < n; ++i) {
      numbers.data()[i] = static_cast<float>(i + 1);
      unit.data()[i * (n + 1)] = 1.0F;
    }
    const Var content = graph.input("content", {"key", "value"}, numbers, true);
    const Var places = graph.input("places", {"key", "feature"}, unit);
    const Head previous =
        head("previous", places, looking_at([](std::size_t i) { return i == 0 ? 0 : i - 1; }), content);
    const Head first = head("first", places, looking_at([](std::size_t) { return 0; }), content);
    graph.name(concat({previous.output, first.output}, -1), "output", {"query", "head"});
    Var both;
    {
      const auto scope = graph.scope("single");
      both = attend(graph.name(previous.scores + first.scores, "scores", kQueryKey), content);
    }
    difference(both, previous.output, "missed.previous");
    difference(both, first.output, "missed.first");
    Result result;
    result.labels = {
        {"", "key", numbered(n)}, {"", "query", numbered(n)}, {"", "head", {"previous", "first"}, false, true}};
    return result;
  }
};

struct SplitHeads final : Lab {
  int batch = 2, time = 4, hidden = 100, heads = 5;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("batch", batch, 1, 8, "examples");
    v.integer("time", time, 3, 16, "words of each");
    v.integer("hidden", hidden, 1, 256, "features of a word, of all heads together");
    v.integer("heads", heads, 1, 64, "heads that share them");
  }

  /// 3, 2, 3, 2 …
  Tensor lengths() const {
    Tensor out({count(batch)});
    for (std::size_t b = 0; b < out.size(); ++b) out.data()[b] = b % 2 == 0 ? 3.0F : 2.0F;
    return out;
  }

  /// Weights under equal scores, the rows masked by these lengths.
  Var masked(Graph& graph, const char* name, const Var& lengths) const {
    const auto scope = graph.scope(name);
    const std::size_t rows = count(batch * heads), t = count(time);
    const Var row_lengths = graph.name(lengths, "lengths", {"row"});
    const Var weights = masked_softmax(graph.constant(Tensor::zeros({rows, t, t})), row_lengths);
    graph.name(weights, "weights", {"row", "query", "key"});
    return row_lengths;
  }

  void mask_rows(Graph& graph) const {
    const std::size_t b = count(batch), h = count(heads);
    const Var of_examples = graph.input("lengths", {"batch"}, lengths());
    const auto spread = [&](const Shape& from, const Shape& over) {  // each length, over the heads
      return reshape(reshape(of_examples, from) + graph.constant(Tensor::zeros(over)), {b * h});
    };
    const Var repeated = masked(graph, "repeated", spread({b, 1}, {1, h}));
    const Var tiled = masked(graph, "tiled", spread({1, b}, {h, 1}));
    compare(tiled, repeated, "tiled");
    const Var chosen = graph.constant(Tensor::full({b * h}, static_cast<float>(time)));
    compare(masked(graph, "chosen", chosen), repeated, "chosen");
  }

  /// Records: wrong, errors.
  static void compare(const Var& lengths, const Var& right, const char* name) {
    Graph& graph = lengths.graph();
    const auto scope = graph.scope(name);
    const Var wrong = graph.name(step(abs(lengths - right)), "wrong", {"row"});
    graph.name(sum(wrong), "errors", {});
  }

  Result run(Graph& graph) override {
    if (hidden % heads != 0)
      throw refused<ConfigError>("heads.divide",
                                 "split-heads: {hidden} features cannot be shared out evenly among {heads} heads",
                                 {{"hidden", std::to_string(hidden)}, {"heads", std::to_string(heads)}});
    const std::size_t b = count(batch), t = count(time), c = count(hidden), h = count(heads), d = c / h;
    const Var input = graph.input("input", {"batch", "time", "feature"}, counting({b, t, c}), true);
    const Var cut = graph.name(reshape(input, {b, t, h, d}), "cut", {"batch", "time", "head", "feature"});
    const Var moved = graph.name(transpose(cut, {0, 2, 1, 3}), "moved", {"batch", "head", "time", "feature"});
    const Var split = graph.name(reshape(moved, {b * h, t, d}), "split", {"row", "time", "feature"});
    const Var apart = graph.name(reshape(split, {b, h, t, d}), "apart", {"batch", "head", "time", "feature"});
    const Var returned = graph.name(transpose(apart, {0, 2, 1, 3}), "returned", {"batch", "time", "head", "feature"});
    const Var merged = graph.name(reshape(returned, {b, t, c}), "merged", {"batch", "time", "feature"});
    difference(input, merged, "difference");
    mask_rows(graph);
    Result result;
    models::Labels rows{"", "row", {}};
    for (int row = 0; row < batch * heads; ++row)
      rows.words.push_back(std::to_string(row / heads + 1) + "·" + std::to_string(row % heads + 1));
    result.labels.push_back(std::move(rows));
    return result;
  }
};

}  // namespace

models::Kind heads() { return lab<Heads>("heads", "two heads set by hand, and one that tries to do both"); }
models::Kind split_heads() {
  return lab<SplitHeads>("split-heads", "features shared out among heads and merged; lengths repeated or tiled");
}

}  // namespace attn::labs
