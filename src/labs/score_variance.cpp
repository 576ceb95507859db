#include "labs/score_variance.hpp"

#include <algorithm>
#include <cmath>

#include "nn/positions.hpp"
#include "ops/arithmetic.hpp"
#include "ops/softmax.hpp"

namespace attn::labs {
namespace {

constexpr std::size_t kRow = 10, kLargest = 512, kSizes = 10;

/// What softmax does with a row of scores, summed over rows.
struct Sharpness {
  double entropy = 0.0, largest = 0.0, gradient = 0.0;

  void add(const double* scores, double factor) {
    double weights[kRow], total = 0.0, squares = 0.0, cubes = 0.0;
    const double top = factor * *std::max_element(scores, scores + kRow);
    for (std::size_t j = 0; j < kRow; ++j) total += weights[j] = std::exp(factor * scores[j] - top);
    for (double& a : weights) {
      a /= total;
      if (a > 0.0) entropy -= a * std::log(a);
      squares += a * a;
      cubes += a * a * a;
    }
    largest += *std::max_element(weights, weights + kRow);
    gradient += std::sqrt(std::max(0.0, squares - 2.0 * cubes + squares * squares));  // ‖diag(α) − ααᵀ‖
  }
};

/// Sums over all rows, for one size.
struct Statistics {
  double sum = 0.0, squares = 0.0;
  Sharpness raw, scaled;
};

/// Dot products of growing size: after[s][j] is q · k over the first 2^s numbers.
struct Row {
  double own[kSizes][kRow];     // each key under a query of its own: independent samples
  double shared[kSizes][kRow];  // all keys under the first query

  explicit Row(Rng& rng) {
    std::vector<float> first(kLargest);
    for (std::size_t j = 0; j < kRow; ++j) {
      double mine = 0.0, common = 0.0;
      for (std::size_t i = 0, s = 0; i < kLargest; ++i) {
        const float q = rng.normal(), k = rng.normal();
        if (j == 0) first[i] = q;
        mine += q * k;
        common += first[i] * k;
        if (i + 1 != std::size_t{1} << s) continue;
        own[s][j] = mine;
        shared[s++][j] = common;
      }
    }
  }
};

struct ScoreVariance final : Lab {
  int samples = 4000, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("samples", samples, 10, 20000, "pairs of a query and a key");
    v.integer("seed", seed, 0, 1 << 30, "of all numbers");
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    std::vector<Statistics> all(kSizes);
    std::vector<double> size, example;
    const std::size_t rows = count(samples) / kRow;
    for (std::size_t row = 0; row < rows; ++row) {
      const Row products(rng);
      for (std::size_t s = 0; s < kSizes; ++s) {
        for (const double x : products.own[s]) {
          all[s].sum += x;
          all[s].squares += x * x;
        }
        all[s].raw.add(products.shared[s], 1.0);
        all[s].scaled.add(products.shared[s], std::pow(2.0, -0.5 * static_cast<double>(s)));
        if (row == 0) example.insert(example.end(), products.shared[s], products.shared[s] + kRow);
      }
    }
    for (std::size_t s = 0; s < kSizes; ++s) size.push_back(std::pow(2.0, static_cast<double>(s)));
    const Var sizes = graph.input("size", {"size"}, row_of(size));
    graph.input("most_entropy", {}, Tensor::scalar(static_cast<float>(std::log(static_cast<double>(kRow)))));
    show(graph, "raw", all, &Statistics::raw, false);
    show(graph, "scaled", all, &Statistics::scaled, true);
    one_row(graph, sizes, row_of(example).reshaped({kSizes, kRow}));
    return labelled("size", sizes.value());
  }

  void show(Graph& graph, const char* name, const std::vector<Statistics>& all, Sharpness Statistics::*of,
            bool scaled) const {
    const double n = static_cast<double>(count(samples) / kRow * kRow), rows = n / kRow;
    std::vector<double> variance, entropy, largest, gradient;
    for (std::size_t s = 0; s < kSizes; ++s) {
      const double mean = all[s].sum / n, raw = all[s].squares / n - mean * mean;
      variance.push_back(scaled ? raw / std::pow(2.0, static_cast<double>(s)) : raw);
      entropy.push_back((all[s].*of).entropy / rows);
      largest.push_back((all[s].*of).largest / rows);
      gradient.push_back((all[s].*of).gradient / rows);
    }
    const auto scope = graph.scope(name);
    graph.input("variance", {"size"}, row_of(variance));
    graph.input("entropy", {"size"}, row_of(entropy));
    graph.input("largest_weight", {"size"}, row_of(largest));
    graph.input("gradient", {"size"}, row_of(gradient));
  }

  static void one_row(Graph& graph, const Var& sizes, const Tensor& products) {
    const Axes axes = {"size", "key"};
    const Var raw = graph.input("raw.scores", axes, products);
    graph.name(softmax(raw), "raw.weights", axes);
    Tensor root({kSizes, 1});
    for (std::size_t s = 0; s < kSizes; ++s) root.data()[s] = std::sqrt(sizes.value().values()[s]);
    const Var scaled = graph.name(raw / graph.input("root", {"size", "column"}, root), "scaled.scores", axes);
    graph.name(softmax(scaled), "scaled.weights", axes);
  }
};

struct EmbeddingScale final : Lab {
  int size = 32, words = 10, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("size", size, 1, 512, "numbers that stand for a word, d");
    v.integer("words", words, 1, 100, "words of the sentence");
    v.integer("seed", seed, 0, 1 << 30, "of the embeddings");
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const std::size_t d = count(size), n = count(words);
    const Axes axes = {"time", "feature"};
    const Tensor drawn = normal({n, d}, rng);
    const Var position = graph.input("position", axes, nn::sinusoids(0, n, d));
    const Var position_rms = rms(position, "position_rms");
    const float root = std::sqrt(static_cast<float>(d));
    for (const char* name : {"standard", "small"}) {
      Tensor numbers = drawn.copy();  // the same draw, only smaller
      if (std::string_view(name) == "small")
        for (float& x : numbers.mutable_values()) x /= root;
      const auto scope = graph.scope(name);
      const Var embedding = graph.input("embedding", axes, numbers, true);
      const Var scaled = graph.name(scale(embedding, root, "√d"), "scaled", axes);
      share(position_rms, rms(embedding, "rms"), "share");
      share(position_rms, rms(scaled, "scaled_rms"), "scaled_share");
    }
    return {};
  }

  static void share(const Var& position, const Var& embedding, const char* name) {
    const Var mine = square(position);
    position.graph().name(mine / (mine + square(embedding)), name, {});
  }
};

}  // namespace

models::Kind score_variance() {
  return lab<ScoreVariance>("score-variance", "dot products of growing size, with and without 1/√d");
}
models::Kind embedding_scale() {
  return lab<EmbeddingScale>("embedding-scale", "embeddings beside the positions added to them, both initialisations");
}

}  // namespace attn::labs
