#include "labs/sublayers.hpp"

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/norm.hpp"
#include "ops/reduce.hpp"
#include "tensor/refusal.hpp"

namespace attn::labs {
namespace {

const Axes kBatchTimeFeature = {"batch", "time", "feature"};
const Axes kTimeFeature = {"time", "feature"};

struct Ffn final : Lab {
  int batch = 2, words = 3, size = 4, hidden = 4, out = 8, seed = 0;
  bool equal = true;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("batch", batch, 1, 8, "sentences");
    v.integer("words", words, 1, 16, "words of each");
    v.integer("size", size, 1, 64, "numbers of a word");
    v.integer("hidden", hidden, 1, 256, "hidden units");
    v.integer("out", out, 1, 64, "numbers of a word behind the network");
    v.boolean("equal", equal, "all words are ones; else N(0, 1)");
    v.integer("seed", seed, 0, 1 << 30, "of words and weights");
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const std::size_t rows = count(batch * words), h = count(hidden), c = count(out);
    const auto weight = [&](const char* name, const char* to, const char* from, std::size_t m, std::size_t n) {
      return graph.input(name, {to, from}, nn::xavier_uniform(m, n, rng), true);
    };
    const auto bias = [&](const char* name, const char* axis, std::size_t n) {
      return graph.input(name, {axis}, normal({n}, rng, 0.1F), true);
    };
    const Var w_1 = weight("W_1", "hidden", "from", h, count(size)), b_1 = bias("b_1", "hidden", h);
    const Var w_2 = weight("W_2", "to", "hidden", c, h), b_2 = bias("b_2", "to", c);
    const Shape shape = {count(batch), count(words), count(size)};
    const Tensor given = equal ? Tensor::full(shape, 1.0F) : normal(shape, rng);
    const Var x = graph.input("input", kBatchTimeFeature, given, true);
    const Var inner = graph.name(relu(linear(x, w_1, b_1)), "hidden", {"batch", "time", "hidden"});
    const Var output = graph.name(linear(inner, w_2, b_2), "output", kBatchTimeFeature);
    const Var by_word = reshape(output, {rows, c});
    difference(by_word, slice(by_word, 0, 0, 1), "row_difference");
    const double parameters = static_cast<double>(h * count(size) + h + c * h + c);
    graph.input("parameters", {}, Tensor::scalar(static_cast<float>(parameters)));
    return {};
  }
};

struct AddNormLab final : Lab {
  int words = 3, size = 4, sublayer_size = 4, seed = 0;
  std::string sublayer = "random";
  double dropout = 0.5;
  bool training = false, residual = true;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("words", words, 1, 16, "words of the sentence");
    v.integer("size", size, 1, 64, "numbers of a word");
    v.integer("sublayer_size", sublayer_size, 1, 64, "numbers of a word behind the sub-layer");
    v.choice("sublayer", sublayer, {"random", "zero"}, "what the sub-layer gives: N(0, 1), or nothing");
    v.number("dropout", dropout, 0.0, 0.95, "share of its numbers that is set to zero in training");
    v.boolean("training", training, "dropout acts");
    v.boolean("residual", residual, "the sub-layer's input is added to its output");
    v.integer("seed", seed, 0, 1 << 30, "of all numbers");
  }

  /// 0 or 1 / (1 − p), so that the mean stays.
  Tensor kept(Rng& rng) const {
    Tensor out = Tensor::full({count(words), count(sublayer_size)}, 1.0F);
    if (!training) return out;
    const auto p = static_cast<float>(dropout);
    for (float& x : out.mutable_values()) x = rng.uniform() < p ? 0.0F : 1.0F / (1.0F - p);
    return out;
  }

  static Var norm(const Var& x, const char* name) {
    Graph& graph = x.graph();
    const Shape features = {x.size(-1)};
    const Var gamma = graph.constant(Tensor::full(features, 1.0F)), beta = graph.constant(Tensor::zeros(features));
    return graph.name(layer_norm(x, gamma, beta), name, kTimeFeature);
  }

  static void statistics(const Var& x, const std::string& mean_name, const std::string& variance_name) {
    Graph& graph = x.graph();
    const Var average = graph.name(mean(x, -1), mean_name, {"time"});
    graph.name(mean(square(x - reshape(average, {x.size(0), 1})), -1), variance_name, {"time"});
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const Shape in = {count(words), count(size)}, behind = {count(words), count(sublayer_size)};
    if (residual && in != behind)
      throw refused<ShapeError>(
          "add-norm.shapes", "add-norm: x has shape {x}, what the sub-layer gives {y}; they are added number by number",
          {{"x", in.str()}, {"y", behind.str()}});
    const Var x = graph.input("x", kTimeFeature, normal(in, rng), true);
    const Tensor given = normal(behind, rng);
    const Var y = graph.input("y", kTimeFeature, sublayer == "zero" ? Tensor::zeros(behind) : given, true);
    const Var mask = graph.input("kept", kTimeFeature, kept(rng));
    const Var dropped = graph.name(y * mask, "dropped", kTimeFeature);
    const Var joined = graph.name(residual ? x + dropped : dropped, "sum", kTimeFeature);
    statistics(joined, "mean", "variance");
    const Var output = norm(joined, "output"), alone = norm(x, "norm_alone");
    statistics(output, "output_mean", "output_variance");
    if (in == behind) difference(output, alone, "difference");
    return {};
  }
};

}  // namespace

models::Kind ffn() { return lab<Ffn>("ffn", "the position-wise network: the same two layers for each word"); }
models::Kind add_norm() {
  return lab<AddNormLab>("add-norm", "residual connection, dropout and layer norm around a sub-layer");
}

}  // namespace attn::labs
