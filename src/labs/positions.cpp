#include "labs/positions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nn/attention.hpp"
#include "nn/positions.hpp"
#include "ops/arithmetic.hpp"
#include "ops/embedding.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "tensor/refusal.hpp"

namespace attn::labs {
namespace {

const Axes kTimeFeature = {"time", "feature"};
const Axes kPositionPair = {"position", "pair"};
const Axes kPositionPart = {"position", "part"};

struct Positions final : Lab {
  int positions = 60, size = 32, first = 0, pair = 3, offset = 5;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("positions", positions, 2, 500, "rows of the table");
    v.integer("size", size, 1, 256, "columns of the table; an odd number ends with a sine");
    v.integer("first", first, 0, 100000, "the first position");
    v.integer("pair", pair, 0, 127, "columns 2 · pair and 2 · pair + 1");
    v.integer("offset", offset, -100, 100, "positions between the two that are compared");
  }

  Result run(Graph& graph) override {
    const std::size_t n = count(positions), d = count(size);
    if (d > 1 && count(pair) >= d / 2)
      throw refused<ConfigError>("positions.pair", "positions: a table of {columns} columns has the pairs 0 to {last}",
                                 {{"columns", std::to_string(d)}, {"last", std::to_string(d / 2 - 1)}});
    Tensor places = counting({n});
    for (float& x : places.mutable_values()) x += static_cast<float>(first);
    const Var place = graph.input("position", {"position"}, places);
    const Var frequency = frequencies(graph);
    const Var table = sinusoids(reshape(place, {n, 1}), frequency);
    graph.name(matmul_transposed(table, table), "product", kQueryKey);
    binary(graph, places);
    if (d > 1) rotation(place, frequency, table);
    Result result = labelled("position", place.value());
    for (const char* axis : {"query", "key"}) result.labels.push_back({"product", axis, result.labels[0].words});
    return result;
  }

  /// Records: index, frequency, period.
  Var frequencies(Graph& graph) const {
    const std::size_t pairs = (count(size) + 1) / 2;
    const Var exponent =
        scale(graph.input("index", {"pair"}, counting({pairs})), -2.0F / static_cast<float>(size), "−2/size");
    const Var base = graph.constant(Tensor::scalar(10000.0F));
    const Var turn = graph.constant(Tensor::scalar(static_cast<float>(2.0 * std::numbers::pi)));
    const Var frequency = graph.name(pow(base, exponent), "frequency", {"pair"});
    graph.name(turn / frequency, "period", {"pair"});
    return frequency;
  }

  /// Records: angle, sine, cosine, table.
  Var sinusoids(const Var& place, const Var& frequency) const {
    Graph& graph = place.graph();
    const Var angle = graph.name(place * frequency, "angle", kPositionPair);
    const Var sine = graph.name(sin(angle), "sine", kPositionPair);
    const Var cosine = graph.name(cos(angle), "cosine", kPositionPair);
    const Var both = reshape(stack({sine, cosine}, -1), {place.size(0), 2 * frequency.size(0)});
    return graph.name(slice(both, 1, 0, count(size)), "table", {"position", "feature"});
  }

  static void binary(Graph& graph, const Tensor& places) {
    const auto last = static_cast<std::size_t>(places.values().back());
    std::size_t bits = 3;
    while (last >> bits != 0) ++bits;
    Tensor out({places.size(), bits});
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t bit = 0; bit < bits; ++bit)
        out.data()[i * bits + bit] =
            static_cast<float>(static_cast<std::size_t>(places.values()[i]) >> (bits - 1 - bit) & 1U);
    graph.input("binary", {"position", "bit"}, out);
  }

  void rotation(const Var& place, const Var& frequency, const Var& table) const {
    Graph& graph = place.graph();
    const auto scope = graph.scope("rotation");
    const std::size_t n = place.size(0);
    const Var omega = select(frequency, 0, count(pair));
    const auto step = static_cast<float>(offset);
    const Var angle = graph.name(scale(omega, step, "offset"), "angle", {});
    const Var c = cos(angle), s = sin(angle);
    const Var matrix = graph.name(reshape(stack({c, s, neg(s), c}, 0), {2, 2}), "matrix", {"row", "column"});
    const Var from = graph.name(slice(table, 1, 2 * count(pair), 2), "from", kPositionPart);
    const Var turned = graph.name(matmul_transposed(from, matrix), "turned", kPositionPart);
    const Var later = (place + graph.constant(Tensor::scalar(step))) * omega;
    const Var there = graph.name(stack({sin(later), cos(later)}, -1), "there", kPositionPart);
    const Var error = graph.name(sqrt(sum(square(turned - there), -1)), "error", {"position"});
    Var largest = select(error, 0, 0);
    for (std::size_t i = 1; i < n; ++i) largest = max(largest, select(error, 0, i));
    graph.name(largest, "largest", {});
  }
};

struct PositionJoin final : Lab {
  int words = 6, size = 16, hidden = 16, seed = 0;
  std::string kind = "sinusoid";

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("words", words, 1, 64, "words of the sentence");
    v.integer("size", size, 1, 128, "numbers of a word, and of a position");
    v.integer("hidden", hidden, 1, 128, "numbers behind the projection");
    v.choice("kind", kind, {"sinusoid", "learned"}, "given by a formula, or weights like others");
    v.integer("seed", seed, 0, 1 << 30, "of all numbers");
  }

  void project(const Var& x, const char* name, Rng& rng) const {
    Graph& graph = x.graph();
    const Tensor weight = nn::xavier_uniform(count(hidden), x.size(-1), rng);
    graph.name(linear(x, graph.constant(weight)), std::string("projected.") + name, {"time", "hidden"});
    graph.input(std::string("parameters.") + name, {}, Tensor::scalar(static_cast<float>(weight.size())));
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const std::size_t n = count(words), d = count(size);
    const bool learned = kind == "learned";
    const Var x = graph.input("words", kTimeFeature, normal({n, d}, rng), true);
    const Tensor table = learned ? normal({n, d}, rng) : nn::sinusoids(0, n, d);
    const Var p = graph.input("positions", kTimeFeature, table, learned);
    graph.input("parameters.positions", {}, Tensor::scalar(learned ? static_cast<float>(n * d) : 0.0F));
    project(graph.name(x + p, "added", kTimeFeature), "added", rng);
    project(graph.name(concat({x, p}, -1), "joined", kTimeFeature), "joined", rng);
    return {};
  }
};

struct RelativePositions final : Lab {
  int words = 8, size = 8, reach = 3, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("words", words, 2, 32, "how often the word is said");
    v.integer("size", size, 1, 64, "numbers of the word");
    v.integer("reach", reach, 1, 31, "distances beyond it count as it");
    v.integer("seed", seed, 0, 1 << 30, "of the word and the tables");
  }

  /// reach + clip(key − query): the row of a table.
  Tensor rows() const {
    const std::size_t n = count(words);
    Tensor out({n, n});
    for (std::size_t i = 0; i < n * n; ++i) {
      const int distance = static_cast<int>(i % n) - static_cast<int>(i / n);
      out.data()[i] = static_cast<float>(std::clamp(distance, -reach, reach) + reach);
    }
    return out;
  }

  static void show(const Var& scores, const char* name) {
    Graph& graph = scores.graph();
    const auto scope = graph.scope(name);
    const std::size_t n = scores.size(0);
    const Var named = graph.name(scores, "scores", kQueryKey);
    graph.name(softmax(named), "weights", kQueryKey);
    const Var here = slice(slice(named, 0, 0, n - 1), 1, 0, n - 1),
              next = slice(slice(named, 0, 1, n - 1), 1, 1, n - 1);
    difference(here, next, "shifted");
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const std::size_t n = count(words), d = count(size), distances = 2 * count(reach) + 1;
    const Var word = graph.input("word", {"feature"}, normal({d}, rng), true);
    const Var vectors = graph.input("clipped.table", {"offset", "feature"}, normal({distances, d}, rng), true);
    const Var numbers = graph.input("bias.table", {"offset"}, normal({distances}, rng), true);
    const Var at = graph.constant(rows());
    const Var offset = at - graph.constant(Tensor::scalar(static_cast<float>(reach)));
    graph.name(offset, "offset", kQueryKey);
    const Var x = reshape(word, {1, d}) + graph.constant(Tensor::zeros({n, d}));
    const Var plain = nn::scaled_dot_product(x, x);
    const Var by_distance = reshape(embedding(at, vectors), {n, n, d});  // q · a, all queries being the word
    const float root = 1.0F / std::sqrt(static_cast<float>(d));
    show(plain + scale(sum(by_distance * word, -1), root, "1/√d"), "clipped");
    show(plain + reshape(embedding(at, reshape(numbers, {distances, 1})), {n, n}), "bias");
    const Var placed = x + graph.constant(nn::sinusoids(0, n, d));
    show(nn::scaled_dot_product(placed, placed), "absolute");
    return {};
  }
};

}  // namespace

models::Kind positions() {
  return lab<Positions>("positions", "sinusoids, binary numbers, and the rotation of an offset");
}
models::Kind position_join() {
  return lab<PositionJoin>("position-join", "positions added to words, or joined behind them");
}
models::Kind relative_positions() {
  return lab<RelativePositions>("relative-positions",
                                "scores that depend on the distance alone, for one word said often");
}

}  // namespace attn::labs
