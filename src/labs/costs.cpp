#include "labs/costs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "labs/stopwatch.hpp"
#include "nn/attention.hpp"
#include "nn/gru.hpp"
#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"

namespace attn::labs {
namespace {

void number(Graph& graph, const std::string& name, double value) {
  graph.input(name, {}, Tensor::scalar(static_cast<float>(value)));
}

/// x [n, d] moved down by `steps` rows, zeros above.
Var later(const Var& x, std::size_t steps) {
  if (steps == 0) return x;
  const std::size_t n = x.size(0), d = x.size(1);
  const Var zeros = x.graph().constant(Tensor::zeros({std::min(steps, n), d}));
  return steps >= n ? zeros : concat({zeros, slice(x, 0, 0, n - steps)}, 0);
}

/// Each word from itself and the k − 1 before it, `dilation` apart: x [n, d], weight [d out, k · d] -> [n, d out].
Var convolution(const Var& x, const Var& weight, std::size_t k, std::size_t dilation) {
  Vars seen;
  for (std::size_t i = 0; i < k; ++i) seen.push_back(later(x, i * dilation));
  return linear(concat(seen, 1), weight);
}

std::size_t products_of(const std::function<void()>& pass) {
  const std::size_t before = kernels::multiply_adds();
  pass();
  return kernels::multiply_adds() - before;
}

bool is_product(const Node& node) {
  const std::string_view op = node.op ? node.op->name() : "";
  return op == "matmul" || op == "matmul_transposed" || op == "linear";
}

/// The longest chain of products of which each needs the one before.
std::size_t longest_chain(const Graph& graph) {
  std::vector<std::size_t> chain(graph.nodes().size(), 0);
  std::size_t longest = 0;
  for (const NodePtr& node : graph.nodes()) {
    std::size_t& mine = chain[static_cast<std::size_t>(node->id)];
    for (const NodePtr& input : node->inputs) mine = std::max(mine, chain[static_cast<std::size_t>(input->id)]);
    mine += is_product(*node) ? 1 : 0;
    longest = std::max(longest, mine);
  }
  return longest;
}

/// k words each: what the weights cost to draw is not counted.
std::size_t convolution_products(const Var& x, std::size_t k, Rng& rng) {
  const std::size_t d = x.size(1);
  const Var weight = x.graph().constant(nn::xavier_uniform(d, k * d, rng));
  return products_of([&] { convolution(x, weight, k, 1); });
}

void recurrent_pass(const Var& x, Rng& rng) {
  const std::size_t n = x.size(0), d = x.size(1);
  nn::GRU gru(d, d, 1, 0.0F, rng);
  nn::GRU::State state = gru.zero_state(x.graph(), 1);
  gru.sequence(reshape(x, {1, n, d}), state, "time");
}

/// Self-attention of one layer. Returns the products of its projections.
std::size_t attention_pass(const Var& x, Rng& rng) {
  const std::size_t d = x.size(1);
  const auto project = [&](const Var& y) { return linear(y, y.graph().constant(nn::xavier_uniform(d, d, rng))); };
  Var q, k, v;
  std::size_t projections = products_of([&] { q = project(x), k = project(x), v = project(x); });
  const Var found = matmul(softmax(nn::scaled_dot_product(q, k)), v);
  projections += products_of([&] { project(found); });
  return projections;
}

struct Costs final : Lab {
  int n = 9, k = 3, d = 8, seed = 0;
  bool dilated = false;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("n", n, 2, 256, "words of the sentence");
    v.integer("k", k, 2, 15, "words that a convolution sees");
    v.integer("d", d, 1, 128, "numbers of a word");
    v.boolean("dilated", dilated, "each layer of the convolution looks k times as far apart as the one before");
    v.integer("seed", seed, 0, 1 << 30, "of words and weights");
  }

  /// What a layer took on the words: its products, and the longest chain of them.
  struct Taken {
    std::size_t products, chain;
  };
  template <class F>
  Taken taken_by(Rng& rng, F&& layer) const {
    Graph inner({.record = Record::everything});
    const Var x = inner.constant(normal({count(n), count(d)}, rng));
    const std::size_t products = products_of([&] { layer(x); });
    return {products, longest_chain(inner)};
  }

  static void show(Graph& graph, const std::string& name, const Taken& taken, double formula) {
    number(graph, name + ".multiply_adds", static_cast<double>(taken.products));
    number(graph, name + ".formula", formula);
    number(graph, name + ".sequential", static_cast<double>(taken.chain));
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const double words = n, width = k, size = d;
    const Taken convolved = taken_by(rng, [&](const Var& x) {
      convolution(x, x.graph().constant(nn::xavier_uniform(count(d), count(k * d), rng)), count(k), 1);
    });
    show(graph, "convolution", convolved, width * words * size * size);
    number(graph, "convolution.outline", width * words * size);
    const Taken recurred = taken_by(rng, [&](const Var& x) { recurrent_pass(x, rng); });
    show(graph, "gru", recurred, 6.0 * words * size * size);
    self_attention(graph, rng);
    paths(graph);
    return {};
  }

  void self_attention(Graph& graph, Rng& rng) const {
    std::size_t projections = 0;
    Taken taken = taken_by(rng, [&](const Var& x) { projections = attention_pass(x, rng); });
    taken.products -= projections;
    const double words = n, size = d;
    show(graph, "attention", taken, 2.0 * words * words * size);
    number(graph, "attention.projections", static_cast<double>(projections));
  }

  /// Sends a word from the first place through layers of ones, and looks where it is heard.
  void paths(Graph& graph) const {
    const std::size_t words = count(n), width = count(k);
    std::vector<std::vector<double>> reach;
    Graph quick({.record = Record::nothing});
    Tensor start = Tensor::zeros({words, 1});
    start.data()[0] = 1.0F;
    Var heard = quick.constant(start);
    const Var ones = quick.constant(Tensor::full({1, width}, 1.0F));
    for (std::size_t dilation = 1; heard.value().values().back() == 0.0F; dilation *= dilated ? width : 1) {
      heard = step(convolution(heard, ones, width, dilation));
      reach.emplace_back(heard.value().values().begin(), heard.value().values().end());
    }
    graph.input("convolution.reach", {"layer", "time"}, rows_of(reach));
    number(graph, "convolution.path", static_cast<double>(reach.size()));
    const double apart = dilated ? dilated_layers() : std::ceil((n - 1.0) / (k - 1.0));
    number(graph, "convolution.path_formula", apart);
    number(graph, "gru.path", static_cast<double>(recurrent_path()));
    number(graph, "gru.path_formula", n - 1.0);
    number(graph, "attention.path", static_cast<double>(attention_path()));
    number(graph, "attention.path_formula", 1.0);
  }

  /// ⌈log_k n⌉ in whole numbers.
  double dilated_layers() const {
    int layers = 0;
    for (long reached = 1; reached < n; reached *= k) ++layers;
    return layers;
  }

  /// A state that adds its word to what it has heard, from word to word until the last one.
  std::size_t recurrent_path() const {
    Graph quick({.record = Record::nothing});
    Var heard = quick.constant(Tensor::scalar(1.0F));
    const Var nothing_new = quick.constant(Tensor::scalar(0.0F));
    std::size_t steps = 0;
    for (; steps + 1 < count(n) && heard.value().item() > 0.0F; ++steps) heard = step(heard + nothing_new);
    return steps;
  }

  /// Layers of equal weights over all words until the last hears the first.
  std::size_t attention_path() const {
    Graph quick({.record = Record::nothing});
    Tensor start = Tensor::zeros({count(n), 1});
    start.data()[0] = 1.0F;
    Var heard = quick.constant(start);
    const Var weights = softmax(quick.constant(Tensor::zeros({count(n), count(n)})));
    std::size_t layers = 0;
    for (; heard.value().values().back() == 0.0F; ++layers) heard = matmul(weights, heard);
    return layers;
  }
};

struct CostCurves final : Lab {
  int k = 3, d = 8, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("k", k, 2, 15, "words that a convolution sees");
    v.integer("d", d, 1, 64, "numbers of a word");
    v.integer("seed", seed, 0, 1 << 30, "of words and weights");
  }

  struct Counted {
    std::size_t convolution, gru, attention, with_projections;
  };
  Counted counted(std::size_t n) const {
    Rng rng(static_cast<std::uint64_t>(seed));
    Graph quick({.record = Record::nothing});
    const Var x = quick.constant(normal({n, count(d)}, rng));
    Counted out{};
    out.convolution = convolution_products(x, count(k), rng);
    out.gru = products_of([&] { recurrent_pass(x, rng); });
    std::size_t projections = 0;
    out.with_projections = products_of([&] { projections = attention_pass(x, rng); });
    out.attention = out.with_projections - projections;
    return out;
  }

  Result run(Graph& graph) override {
    const double size = d, width = k;
    std::vector<double> sizes;
    for (std::size_t n = 1;; n *= 2) {
      sizes.push_back(static_cast<double>(n));
      if (n >= 2 * count(k) * count(d) || n == 1024) break;
    }
    std::map<std::string, std::vector<double>> rows;
    for (const double n : sizes) {
      const Counted now = counted(static_cast<std::size_t>(n));
      rows["convolution.multiply_adds"].push_back(static_cast<double>(now.convolution));
      rows["gru.multiply_adds"].push_back(static_cast<double>(now.gru));
      rows["attention.multiply_adds"].push_back(static_cast<double>(now.attention));
      rows["attention.with_projections"].push_back(static_cast<double>(now.with_projections));
      rows["convolution.order"].push_back(width * n * size * size);
      rows["gru.order"].push_back(n * size * size);
      rows["attention.order"].push_back(n * n * size);
    }
    graph.input("n", {"size"}, row_of(sizes));
    for (const auto& [name, row] : rows) graph.input(name, {"size"}, row_of(row));
    const auto scope = graph.scope("crossing");
    graph.input("n", {"crossing"}, row_of({size, width * size}));
    graph.input("order", {"crossing"}, row_of({size * size * size, width * width * size * size * size}));
    graph.input("counted_n", {"crossing"}, row_of({size}));
    graph.input("counted", {"crossing"}, row_of({static_cast<double>(counted(count(d)).with_projections)}));
    return labelled("size", row_of(sizes));
  }
};

/// Slope of the line through the logarithms of the last half of the points.
double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  for (std::size_t i = x.size() / 2; i < x.size(); ++i) {
    const double u = std::log(x[i]), v = std::log(y[i]);
    sx += u, sy += v, sxx += u * u, sxy += u * v, n += 1;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct AttentionCosts final : Lab {
  int k = 3, d = 32, longest = 512, repeats = 3, seed = 0;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("k", k, 2, 15, "words that a convolution sees");
    v.integer("d", d, 1, 128, "numbers of a word");
    v.integer("longest", longest, 64, 2048, "words of the longest sentence; the others have half of them, a quarter …");
    v.integer("repeats", repeats, 1, 20, "passes, of which the fastest counts");
    v.integer("seed", seed, 0, 1 << 30, "of words and weights");
  }

  struct Measured {
    std::vector<double> products, milliseconds;

    void add(int repeats, const std::function<void()>& pass) {
      products.push_back(static_cast<double>(products_of(pass)));
      milliseconds.push_back(fastest_ms(repeats, pass));
    }
    void show(Graph& graph, const std::string& name, const std::vector<double>& sizes) const {
      graph.input(name + ".multiply_adds", {"size"}, row_of(products));
      graph.input(name + ".milliseconds", {"size"}, row_of(milliseconds));
      number(graph, "slope." + name, log_slope(sizes, products));
      number(graph, "milliseconds_slope." + name, log_slope(sizes, milliseconds));
    }
  };

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(seed));
    const std::size_t size = count(d);
    std::vector<double> sizes;
    for (int n = longest; n >= 8 && sizes.size() < 8; n /= 2) sizes.insert(sizes.begin(), n);
    nn::GRU gru(size, size, 1, 0.0F, rng);
    const Tensor filter = nn::xavier_uniform(size, count(k) * size, rng);
    Measured convolved, recurrent, attention;
    for (const double n : sizes) {
      Graph quick({.record = Record::nothing});
      const Var x = quick.constant(normal({1, static_cast<std::size_t>(n), size}, rng));
      const Var words = reshape(x, {static_cast<std::size_t>(n), size}), weight = quick.constant(filter);
      convolved.add(repeats, [&] { convolution(words, weight, count(k), 1); });
      attention.add(repeats, [&] { nn::DotProductAttention()(x, x, x, {}); });
      recurrent.add(repeats, [&] {
        nn::GRU::State state = gru.zero_state(quick, 1);
        gru.sequence(x, state, "time");
      });
    }
    graph.input("n", {"size"}, row_of(sizes));
    convolved.show(graph, "convolution", sizes);
    recurrent.show(graph, "gru", sizes);
    attention.show(graph, "attention", sizes);
    return labelled("size", row_of(sizes));
  }
};

}  // namespace

models::Kind costs() {
  return lab<Costs>("costs", "a convolution, a GRU and self-attention run on one sentence, their products counted");
}
models::Kind cost_curves() {
  return lab<CostCurves>("cost-curves", "the three layers on longer and longer sentences, and where their costs meet");
}
models::Kind attention_costs() {
  return lab<AttentionCosts>("attention-costs",
                             "a convolution, a GRU and self-attention on longer and longer sentences, measured here");
}

}  // namespace attn::labs
