#include "labs/trained_scorers.hpp"

#include <algorithm>

#include "nn/attention.hpp"
#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"

namespace attn::labs {
namespace {

constexpr std::size_t kValue = 2, kBatch = 32;

struct Config {
  int size = 4, keys = 6, hidden = 16, batches = 20, epochs = 40, seed = 0;
  double noise = 0.3, learning_rate = 0.01;
  bool constant = true;

  std::size_t features() const { return count(size) + (constant ? 1 : 0); }

  void fields(FieldVisitor& v) {
    v.integer("size", size, 1, 32, "numbers in a query and in a key");
    v.integer("keys", keys, 2, 32, "keys to choose from");
    v.integer("hidden", hidden, 1, 64, "hidden units of both scorers");
    v.number("noise", noise, 0.0, 3.0, "standard deviation between a query and its key");
    v.boolean("constant", constant, "each query and key ends with a 1, which serves as a bias");
    v.integer("batches", batches, 1, 1000, "of an epoch, each of 32 queries");
    v.number("learning_rate", learning_rate, 1e-6, 1.0, "of Adam");
    v.integer("epochs", epochs, 1, 1000, "of training");
    v.integer("seed", seed, 0, 1 << 30, "of the first weights and the examples");
  }
};

/// Queries with keys of their own.
struct Examples {
  Tensor queries, keys, values, wanted, right;  // [n, D], [n, m, D], [n, m, V], [n, V], [n, m]

  Examples(const Config& c, std::size_t n, Rng& rng)
      : queries({n, c.features()}),
        keys(normal({n, count(c.keys), c.features()}, rng)),
        values(normal({n, count(c.keys), kValue}, rng)),
        wanted({n, kValue}),
        right(Tensor::zeros({n, count(c.keys)})) {
    const std::size_t m = count(c.keys), d = c.features();
    for (std::size_t j = 0; c.constant && j < n * m; ++j) keys.data()[(j + 1) * d - 1] = 1.0F;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = i * m + rng.below(static_cast<std::uint32_t>(m));
      right.data()[j] = 1.0F;
      std::copy_n(values.data() + j * kValue, kValue, wanted.data() + i * kValue);
      std::copy_n(keys.data() + j * d, d, queries.data() + i * d);
      for (std::size_t f = 0; f < count(c.size); ++f)
        queries.data()[i * d + f] += static_cast<float>(c.noise) * rng.normal();
    }
  }
};

class TrainedScorers final : public models::Model, public train::Task {
 public:
  explicit TrainedScorers(const Config& config) : config_(config), rng_(static_cast<std::uint64_t>(config.seed)) {
    const std::size_t d = config.features(), h = count(config.hidden);
    additive_ = nn::AdditiveAttention(d, d, h, 0.0F, rng_);
    dot_q_ = nn::Linear(d, h, false, rng_);
    dot_k_ = nn::Linear(d, h, false, rng_);
  }

  void visit(const nn::Visitor& f) override {
    additive_.visit("additive", f);
    dot_q_.visit("dot.W_q", f);
    dot_k_.visit("dot.W_k", f);
  }
  void config(FieldVisitor& v) override { config_.fields(v); }
  void inputs(FieldVisitor& v) override {
    examples_ = 200;
    v.integer("examples", examples_, 1, 1000, "queries to look at");
  }

  Result run(Graph& graph) override {
    Rng rng(static_cast<std::uint64_t>(config_.seed) + 1);
    const Batched x(graph, Examples(config_, count(examples_), rng), true);
    const Scored additive = attend(graph, "additive", x), dot = attend(graph, "dot", x);
    const auto scope = graph.scope("agreement");
    const auto queries = static_cast<float>(examples_);
    graph.name(scale(sum(min(additive.weights, dot.weights)), 1.0F / queries, "1/n"), "overlap", {});
    correlation(additive.scores, dot.scores);
    return {};
  }

  train::Task* task() override { return this; }
  std::unique_ptr<train::Optimizer> optimizer(train::Parameters parameters) override {
    return std::make_unique<train::Adam>(std::move(parameters), static_cast<float>(config_.learning_rate));
  }
  train::Settings settings() const override {
    return {.epochs = config_.epochs, .seed = static_cast<std::uint64_t>(config_.seed)};
  }

  std::size_t batches() const override { return count(config_.batches); }
  void begin_epoch(Rng& rng) override {
    first_ = rng.next();
    losses_[0] = losses_[1] = 0.0;
  }
  Batch forward(Graph& graph, std::size_t batch) override {
    Rng rng(first_ + batch);
    const Batched x(graph, Examples(config_, kBatch, rng), false);
    const Var additive = attend(graph, "additive", x).error, dot = attend(graph, "dot", x).error;
    losses_[0] += additive.value().item();
    losses_[1] += dot.value().item();
    Batch out;
    out.objective = additive + dot;  // no weight of one is a weight of the other
    out.loss = out.objective.value().item();
    out.items = 1.0;
    return out;
  }
  std::map<std::string, double> metrics(double, double items) const override {
    return {{"additive_loss", losses_[0] / items}, {"dot_loss", losses_[1] / items}};
  }

 private:
  /// Examples in a graph: each query is a batch of one query with keys of its own.
  struct Batched {
    Var queries, keys, values, wanted, right;
    Batched(Graph& graph, const Examples& e, bool named) {
      const auto leaf = [&](const char* name, const Axes& axes, const Tensor& value) {
        return named ? graph.input(name, axes, value) : graph.constant(value);
      };
      queries = leaf("queries", {"query", "feature"}, e.queries);
      keys = leaf("keys", {"query", "key", "feature"}, e.keys);
      values = leaf("values", {"query", "key", "value"}, e.values);
      wanted = leaf("wanted", {"query", "value"}, e.wanted);
      right = leaf("right", kQueryKey, e.right);
    }
  };
  struct Scored {
    Var scores, weights, error;
  };

  /// Scores [n, m] of each query against its own keys.
  Var scores(bool additive, const Batched& x) {
    const std::size_t n = x.queries.size(0), m = x.keys.size(1);
    const Var queries = reshape(x.queries, {n, 1, x.queries.size(1)});
    if (!additive) return reshape(nn::scaled_dot_product(dot_q_(queries), dot_k_(x.keys)), {n, m});
    const Var sums = additive_.W_q(queries) + additive_.W_k(x.keys);
    return reshape(additive_.w_v(tanh(sums)), {n, m});
  }

  Scored attend(Graph& graph, const char* name, const Batched& x) {
    const auto scope = graph.scope(name);
    const std::size_t n = x.queries.size(0), m = x.keys.size(1);
    const Var scored = graph.name(scores(std::string_view(name) == "additive", x), "scores", kQueryKey);
    const Var weights = graph.name(softmax(scored), "weights", kQueryKey);
    const Var fetched = matmul(reshape(weights, {n, 1, m}), x.values);
    const Var context = graph.name(reshape(fetched, {n, kValue}), "context", {"query", "value"});
    const auto per_query = 1.0F / static_cast<float>(n);
    graph.name(scale(sum(weights * x.right), per_query, "1/n"), "hit", {});
    return {scored, weights, graph.name(mean(square(context - x.wanted)), "error", {})};
  }

  static void correlation(const Var& a, const Var& b) {
    const auto centred = [](const Var& x) { return x - reshape(mean(x, -1), {x.size(0), 1}); };
    const Var u = centred(a), v = centred(b);
    a.graph().name(sum(u * v) / (sqrt(sum(square(u))) * sqrt(sum(square(v)))), "correlation", {});
  }

  Config config_;
  Rng rng_;
  int examples_ = 200;
  std::uint64_t first_ = 0;
  double losses_[2] = {0.0, 0.0};  // of the running epoch
  nn::AdditiveAttention additive_;
  nn::Linear dot_q_, dot_k_;
};

}  // namespace

models::Kind trained_scorers() {
  return {"trained-scorers",
          true,
          "additive and dot-product scoring learn one task: do they come to agree?",
          {"additive_loss", "dot_loss"},
          false,
          [] { return std::unique_ptr<models::Model>(new TrainedScorers(Config())); },
          [](FieldVisitor& assign, models::Opening) {
            Config config;
            config.fields(assign);
            return std::unique_ptr<models::Model>(new TrainedScorers(config));
          }};
}

}  // namespace attn::labs
