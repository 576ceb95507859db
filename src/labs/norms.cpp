#include "labs/norms.hpp"

#include "ops/arithmetic.hpp"
#include "ops/layout.hpp"
#include "ops/norm.hpp"
#include "ops/reduce.hpp"

namespace attn::labs {
namespace {

const Axes kBatchFeature = {"batch", "feature"};
const Axes kBatchTimeFeature = {"batch", "time", "feature"};
const Axes kTimeFeature = {"time", "feature"};

Var layer(const Var& x, const Shape& over) {
  Graph& graph = x.graph();
  return layer_norm(x, graph.constant(Tensor::full(over, 1.0F)), graph.constant(Tensor::zeros(over)));
}
Var layer(const Var& x) { return layer(x, {x.size(-1)}); }

Var batch(const Var& x) {
  Graph& graph = x.graph();
  const Shape features = {x.size(-1)};
  return batch_norm(x, graph.constant(Tensor::full(features, 1.0F)), graph.constant(Tensor::zeros(features)));
}

/// mean and variance along an axis. Records: mean, variance.
void statistics(const Var& x, std::size_t axis, const char* left) {
  Graph& graph = x.graph();
  const Var average = graph.name(mean(x, static_cast<std::ptrdiff_t>(axis)), "mean", {left});
  Shape kept = x.shape();
  kept[static_cast<std::ptrdiff_t>(axis)] = 1;
  const Var deviation = square(x - reshape(average, kept));
  graph.name(mean(deviation, static_cast<std::ptrdiff_t>(axis)), "variance", {left});
}

struct Norms final : Lab {
  int rows = 2, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("rows", rows, 2, 4, "rows of the small batch");
    v.integer("seed", seed, 0, 1 << 30, "of the sentences");
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    small_batch(graph);
    padding(graph, rng);
    axes(graph, rng);
    return {};
  }

  void small_batch(Graph& graph) const {
    const Tensor all = Tensor::of({4, 2}, {1, 2, 2, 3, 10, 0, -4, 6});
    const Tensor numbers = Tensor::of({count(rows), 2}, all.values().first(2 * count(rows)));
    const Var x = graph.input("input", kBatchFeature, numbers, true);
    const auto both = [&](const char* name, std::size_t axis, const char* left, const Var& output,
                          Var (*norm)(const Var&)) {
      {
        const auto scope = graph.scope(name);
        statistics(x, axis, left);
        graph.name(output, "output", kBatchFeature);
      }
      const Var alone = norm(slice(x, 0, 0, 2));
      graph.name(alone, std::string("alone.") + name, kBatchFeature);
      difference(alone, slice(output, 0, 0, 2), std::string("changed.") + name);
    };
    both("layer", 1, "batch", layer(x), layer);
    both("batch", 0, "feature", batch(x), batch);
  }

  static void padding(Graph& graph, Rng& rng) {
    Tensor numbers = normal({2, 3, 2}, rng);
    std::fill(numbers.mutable_values().begin() + 8, numbers.mutable_values().end(), 0.0F);  // all but the first word
    const Var x = graph.input("padded.input", kBatchTimeFeature, numbers, true);
    const Var words = concat({reshape(slice(x, 0, 0, 1), {3, 2}), slice(reshape(x, {6, 2}), 0, 3, 1)}, 0);
    const auto compare = [&](const char* name, const Var& padded, const Var& trimmed) {
      graph.name(padded, std::string("padded.") + name, kBatchTimeFeature);
      const Var first = graph.name(select(trimmed, 0, 0), std::string("trimmed.") + name, {"feature"});
      difference(select(select(padded, 0, 0), 0, 0), first, std::string("padding.") + name);
    };
    compare("layer", layer(x), layer(words));
    compare("batch", batch(x), batch(words));
  }

  static void axes(Graph& graph, Rng& rng) {
    constexpr std::size_t words = 3, features = 4;
    const Var x = graph.input("sentence", kTimeFeature, normal({words, features}, rng), true);
    const Var silenced = concat({slice(x, 0, 0, words - 1), graph.constant(Tensor::zeros({1, features}))}, 0);
    const auto compare = [&](const char* name, const Shape& over) {
      const Var output = graph.name(layer(x, over), name, kTimeFeature);
      difference(select(output, 0, 0), select(layer(silenced, over), 0, 0), std::string("leak.") + name);
    };
    compare("last_axis", {features});
    compare("both_axes", {words, features});
  }
};

}  // namespace

models::Kind norms() { return lab<Norms>("norms", "layer norm against batch norm: rows, padding, and which axes"); }

}  // namespace attn::labs
