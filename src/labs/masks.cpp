#include "labs/masks.hpp"

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"
#include "tensor/refusal.hpp"

namespace attn::labs {
namespace {

const Axes kKey = {"key"};

/// A row of scores, of which `length` keys are seen, hidden both ways.
void both_ways(Graph& graph, const char* scope_name, const Tensor& row, float length) {
  const auto scope = graph.scope(scope_name);
  const std::size_t keys = row.size();
  const Var scores = graph.input("scores", kKey, row, true);
  const Var lengths = graph.constant(Tensor::of({1}, {length}));
  const auto weights = [&](MaskRule rule) {
    return reshape(masked_softmax(reshape(scores, {1, keys}), lengths, rule), {keys});
  };
  graph.name(weights(MaskRule::correct), "weights", kKey);
  graph.name(weights(MaskRule::book), "book_weights", kKey);
}

struct Masks final : Lab {
  int length = 3, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("length", length, 0, 4, "keys of the single row that are seen");
    v.integer("seed", seed, 0, 1 << 30, "of the scores");
  }

  static void masked(const Var& scores, const char* name, const Axes& axes, const Tensor& lengths, bool book = false) {
    Graph& graph = scores.graph();
    const auto scope = graph.scope(name);
    const Var seen = graph.input("lengths", axes, lengths);
    const std::size_t keys = scores.shape().back();
    Var mask = mask_of(seen, keys);
    if (axes == Axes{"batch"})  // the same for every query of an example
      mask = reshape(mask, {seen.size(0), 1, keys}) + graph.constant(Tensor::zeros(scores.shape()));
    graph.name(mask, "mask", kBatchQueryKey);
    graph.name(masked_softmax(scores, seen), "weights", kBatchQueryKey);
    if (book) graph.name(masked_softmax(scores, seen, MaskRule::book), "book_weights", kBatchQueryKey);
  }

  Result run(Graph& graph) override {
    both_ways(graph, "one", Tensor::of({4}, {1, 2, 3, 4}), static_cast<float>(length));
    both_ways(graph, "far", Tensor::of({2}, {-2e6F, 0.0F}), 1.0F);
    Rng rng(static_cast<std::uint64_t>(seed));
    Tensor random({2, 2, 4});
    rng.fill_uniform(random, 0.0F, 1.0F);
    const Var scores = graph.input("scores", kBatchQueryKey, random, true);
    graph.name(softmax(scores), "none.weights", kBatchQueryKey);
    masked(scores, "examples", {"batch"}, Tensor::of({2}, {2, 3}), true);
    masked(scores, "queries", {"batch", "query"}, Tensor::of({2, 2}, {1, 3, 2, 4}));
    causal(graph, rng);
    return {};
  }

  static void causal(Graph& graph, Rng& rng) {
    constexpr std::size_t words = 5;
    const auto scope = graph.scope("causal");
    Tensor random({words, words});
    rng.fill_uniform(random, 0.0F, 1.0F);
    const Var scores = graph.input("scores", kQueryKey, random, true);
    Tensor upto = counting({words});
    for (float& x : upto.mutable_values()) x += 1.0F;
    const Var lengths = graph.input("lengths", {"query"}, upto);
    graph.name(mask_of(lengths, words), "mask", kQueryKey);
    const Var one = reshape(scores, {1, words, words});
    graph.name(reshape(masked_softmax(one, reshape(lengths, {1, words})), {words, words}), "weights", kQueryKey);
  }
};

struct MaskUse final : Lab {
  std::string use = "padding";
  int words = 4, keys = 6;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.choice("use", use, {"padding", "future", "both"}, "what is hidden");
    v.integer("words", words, 1, 12, "keys that are words; the others are padding");
    v.integer("keys", keys, 2, 12, "keys, and as many queries");
  }

  Tensor lengths() const {
    const std::size_t n = count(keys);
    Tensor out({n});
    for (std::size_t i = 0; i < n; ++i) {
      const float padding = use == "future" ? static_cast<float>(n) : static_cast<float>(words);
      const float future = use == "padding" ? static_cast<float>(n) : static_cast<float>(i + 1);
      out.data()[i] = std::min(padding, future);
    }
    return out;
  }

  Result run(Graph& graph) override {
    if (words > keys)
      throw refused<ConfigError>("mask-use.words", "mask-use: {words} words do not fit into {keys} keys",
                                 {{"words", std::to_string(words)}, {"keys", std::to_string(keys)}});
    const std::size_t n = count(keys);
    const Var seen = graph.input("lengths", {"query"}, lengths());
    const Var mask = graph.name(mask_of(seen, n), "mask", kQueryKey);
    const Var below = slice(mask, 0, 1, n - 1), above = slice(mask, 0, 0, n - 1);
    const Var change = graph.name(sum(abs(below - above)), "row_change", {});
    const Var place = graph.constant(counting({n}));
    const Var later = step(place - reshape(place, {n, 1}));  // 1 for keys behind their query
    const Var ahead = graph.name(sum(mask * later), "ahead", {});
    const Var one = graph.constant(Tensor::scalar(1.0F));
    const Var unequal = graph.name(step(change), "unequal", {}), blind = graph.name(one - step(ahead), "blind", {});
    graph.name(unequal * blind, "hides_future", {});
    graph.name(one - select(select(mask, 0, n - 1), 0, n - 1), "hides_padding", {});
    return {};
  }
};

struct Bmm final : Lab {
  int left_batch = 2, left_rows = 1, left_columns = 4, right_batch = 2, right_rows = 4, right_columns = 6;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("left_batch", left_batch, 1, 16, "matrices on the left");
    v.integer("left_rows", left_rows, 1, 16, "rows of each");
    v.integer("left_columns", left_columns, 1, 16, "numbers in a row");
    v.integer("right_batch", right_batch, 1, 16, "matrices on the right");
    v.integer("right_rows", right_rows, 1, 16, "numbers in a column");
    v.integer("right_columns", right_columns, 1, 16, "columns of each");
  }

  void check() const {
    const auto n = [](int x) { return std::to_string(x); };
    if (left_batch != right_batch)
      throw refused<ShapeError>("bmm.batch",
                                "bmm: {left} matrices on the left and {right} on the right; each needs its partner",
                                {{"left", n(left_batch)}, {"right", n(right_batch)}});
    if (left_columns != right_rows)
      throw refused<ShapeError>("bmm.inner",
                                "bmm: a row on the left has {left} numbers, a column on the right {right}; each number "
                                "needs its partner",
                                {{"left", n(left_columns)}, {"right", n(right_rows)}});
  }

  static Tensor ones(int batch, int rows, int columns) {
    return Tensor::full({count(batch), count(rows), count(columns)}, 1.0F);
  }

  Result run(Graph& graph) override {
    check();
    const Var left = graph.input("left", {"batch", "row", "inner"}, ones(left_batch, left_rows, left_columns), true);
    const Var right =
        graph.input("right", {"batch", "inner", "column"}, ones(right_batch, right_rows, right_columns), true);
    graph.name(matmul(left, right), "product", {"batch", "row", "column"});
    const auto scope = graph.scope("average");
    const Var weights = graph.input("weights", kBatchQueryKey, Tensor::full({2, 1, 10}, 0.1F), true);
    const Var values = graph.input("values", {"batch", "key", "value"}, counting({2, 10, 1}), true);
    graph.name(matmul(weights, values), "output", {"batch", "query", "value"});
    return {};
  }
};

}  // namespace

models::Kind masks() { return lab<Masks>("masks", "softmax over the keys that a query may see: 1-D, 2-D, causal"); }
models::Kind mask_use() { return lab<MaskUse>("mask-use", "one mask: does it hide padding, or the future?"); }
models::Kind bmm() { return lab<Bmm>("bmm", "batched products: which shapes fit, and an average by weights"); }

}  // namespace attn::labs
