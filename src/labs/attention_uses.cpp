#include "labs/attention_uses.hpp"

#include "nn/attention.hpp"
#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "tensor/refusal.hpp"

namespace attn::labs {
namespace {

const Axes kTimeFeature = {"time", "feature"};

struct AttentionUses final : Lab {
  std::string mask = "full";
  int words = 5, source_words = 4, size = 8, changed = 0, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.choice("mask", mask, {"full", "causal", "cross"},
             "each word sees all words of its sentence, those up to itself, or another sentence");
    v.integer("words", words, 1, 16, "words of the sentence that asks");
    v.integer("source_words", source_words, 1, 16, "words of the other sentence");
    v.integer("size", size, 1, 64, "numbers of a word");
    v.integer("changed", changed, 0, 16, "a word that is asked, counted from 1, exchanged for another; 0: the last");
    v.integer("seed", seed, 0, 1 << 30, "of all numbers");
  }

  bool crosses() const { return mask == "cross"; }
  std::size_t keys() const { return count(crosses() ? source_words : words); }

  Tensor lengths() const {
    Tensor out = Tensor::full({count(words)}, static_cast<float>(keys()));
    for (std::size_t i = 0; mask == "causal" && i < out.size(); ++i) out.data()[i] = static_cast<float>(i + 1);
    return out;
  }

  struct Layer {
    Var w_q, w_k, w_v, lengths;
  };
  Layer layer(Graph& graph) const {
    Rng rng(static_cast<std::uint64_t>(seed));
    const auto matrix = [&](const char* name) {
      return graph.input(name, {"from", "to"}, nn::xavier_uniform(count(size), count(size), rng), true);
    };
    const Var q = matrix("W_q"), k = matrix("W_k"), v = matrix("W_v");
    return {q, k, v, graph.input("lengths", {"query"}, lengths())};
  }

  Var attend(const Var& asking, const Var& asked, const Layer& at) const {
    Graph& graph = asking.graph();
    const Var q = graph.name(matmul(asking, at.w_q), "queries", kTimeFeature);
    const Var k = graph.name(matmul(asked, at.w_k), "keys", kTimeFeature);
    const Var v = graph.name(matmul(asked, at.w_v), "values", kTimeFeature);
    const Var scores = graph.name(nn::scaled_dot_product(q, k), "scores", kQueryKey);
    const std::size_t n = count(words), m = keys();
    const Var hidden = masked_softmax(reshape(scores, {1, n, m}), reshape(at.lengths, {1, n}));
    const Var weights = graph.name(reshape(hidden, {n, m}), "weights", kQueryKey);
    return graph.name(matmul(weights, v), "output", {"query", "feature"});
  }

  /// x with one row exchanged.
  static Var exchanged(const Var& x, std::size_t at, const Var& row) {
    Vars parts;
    if (at > 0) parts.push_back(slice(x, 0, 0, at));
    parts.push_back(reshape(row, {1, x.size(1)}));
    if (at + 1 < x.size(0)) parts.push_back(slice(x, 0, at + 1, x.size(0) - at - 1));
    return concat(parts, 0);
  }

  Result run(Graph& graph) override {
    if (count(changed) > keys())
      throw refused<ConfigError>("attention-uses.word",
                                 "attention-uses: there is no word {word}; the sentence has {words}",
                                 {{"word", std::to_string(changed)}, {"words", std::to_string(keys())}});
    Rng rng(static_cast<std::uint64_t>(seed) + (std::uint64_t{1} << 32));
    const std::size_t d = count(size), at = changed == 0 ? keys() - 1 : count(changed) - 1;
    const Var another = graph.input("another", {"feature"}, normal({d}, rng), true);
    const Var own = graph.input("words", kTimeFeature, normal({count(words), d}, rng), true);
    const Var other = graph.input("source", kTimeFeature, normal({count(source_words), d}, rng), true);
    const Var asked = crosses() ? other : own;
    const Layer weights = layer(graph);
    graph.name(mask_of(weights.lengths, keys()), "mask", kQueryKey);
    const Var output = attend(own, asked, weights);
    Var moved;
    {
      const auto scope = graph.scope("moved");
      const Var given = graph.name(exchanged(asked, at, another), "given", kTimeFeature);
      moved = attend(crosses() ? own : given, given, weights);
      moved = graph.name(sqrt(sum(square(output - moved), -1)), "change", {"query"});
    }
    graph.name(sum(step(moved)), "reach", {});
    Result result;
    for (const auto& [axis, n] : {std::pair{"query", count(words)}, {"key", keys()}})
      result.labels.push_back({"", axis, numbered(n)});
    return result;
  }
};

}  // namespace

models::Kind attention_uses() {
  return lab<AttentionUses>("attention-uses", "one attention layer in its three uses: full, causal, and across");
}

}  // namespace attn::labs
