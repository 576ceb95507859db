#include "labs/regression_seeds.hpp"

#include <algorithm>

#include "models/kernel_regression.hpp"
#include "ops/reduce.hpp"

namespace attn::labs {
namespace {

using models::KernelRegression;
using models::KernelRegressionConfig;
using Numbers = std::vector<double>;

double median(Numbers numbers) {
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2.0;
}

/// What one seed gave.
struct Outcome {
  Numbers w, loss;
  std::map<std::string, double> at_end;
};

Outcome outcome_of(const KernelRegressionConfig& config) {
  KernelRegression model(config);
  const train::Parameters parameters = model.parameters();
  train::Trainer trainer(model, parameters, model.optimizer(parameters), model.settings());
  Outcome out;
  const auto look = [&] { out.w.push_back(parameters[0]->value.item()); };
  for (look(); trainer.progress().state == train::Progress::State::training; look()) {
    const train::Progress& progress = trainer.advance(0.0);
    out.loss.push_back(progress.history.empty() ? 0.0 : progress.history.back().at("squared_error"));
  }
  out.w.resize(static_cast<std::size_t>(config.epochs) + 1, out.w.back());  // a run that diverged stays where it was
  out.loss.resize(static_cast<std::size_t>(config.epochs), out.loss.back());
  Graph graph({});
  model.run(graph);
  for (const char* form : {"average", "fixed", "learned"})
    out.at_end[std::string("error.") + form] = value_of(graph, std::string(form) + ".error").item();
  for (const char* form : {"fixed", "learned"})
    out.at_end[std::string("largest_weight.") + form] =
        std::ranges::max(value_of(graph, std::string(form) + ".weights").values());
  return out;
}

struct RegressionSeeds final : Lab {
  KernelRegressionConfig config;
  int seeds = 60;

  void inputs(FieldVisitor& v) override {
    config = {};
    seeds = 60;
    v.integer("seeds", seeds, 1, 200, "how many");
    v.integer("first_seed", config.seed, 0, 1 << 29, "the others follow it, one by one");
    v.integer("n", config.n, 2, 100, "training points");
    v.number("noise", config.noise, 0.0, 10.0, "standard deviation of the noise in y");
    v.choice("edition", config.edition, {"zh", "en"}, "the curve: 2 sin x + x^0.8 (zh), 2 sin x + x (en)");
    v.boolean("random_w", config.random_w, "the first w is drawn from U[0, 1); off: it is first_w");
    v.number("first_w", config.first_w, -100.0, 100.0, "w before training, if random_w is off");
    v.number("learning_rate", config.learning_rate, 1e-6, 10.0, "of stochastic gradient descent");
    v.integer("epochs", config.epochs, 1, 50, "passes over the training points");
    v.boolean("leave_one_out", config.leave_one_out, "in training, a point is predicted from the others only");
  }

  Result run(Graph& graph) override {
    std::vector<Outcome> outcomes;
    Result result;
    models::Labels labels{"", "seed", {}};
    for (int i = 0; i < seeds; ++i) {
      KernelRegressionConfig one = config;
      one.seed = config.seed + i;
      outcomes.push_back(outcome_of(one));
      labels.words.push_back(std::to_string(one.seed));
    }
    by_epoch(graph, "w", outcomes, &Outcome::w);
    by_epoch(graph, "loss", outcomes, &Outcome::loss);
    for (const auto& entry : outcomes[0].at_end) by_seed(graph, entry.first, outcomes);
    share(graph, "better", outcomes, [](const auto& o) { return o.at("error.learned") < o.at("error.fixed"); });
    share(graph, "sharper", outcomes,
          [](const auto& o) { return o.at("largest_weight.learned") > o.at("largest_weight.fixed"); });
    result.labels.push_back(std::move(labels));
    return result;
  }

  static void by_epoch(Graph& graph, const std::string& name, const std::vector<Outcome>& outcomes,
                       Numbers Outcome::*what) {
    std::vector<Numbers> rows;
    Numbers medians;
    for (const Outcome& o : outcomes) rows.push_back(o.*what);
    for (std::size_t epoch = 0; epoch < rows[0].size(); ++epoch) {
      Numbers column;
      for (const Numbers& row : rows) column.push_back(row[epoch]);
      medians.push_back(median(std::move(column)));
    }
    graph.input(name, {"seed", "epoch"}, rows_of(rows));
    graph.input("median." + name, {"epoch"}, row_of(medians));
  }

  static void by_seed(Graph& graph, const std::string& name, const std::vector<Outcome>& outcomes) {
    Numbers values;
    for (const Outcome& o : outcomes) values.push_back(o.at_end.at(name));
    graph.input(name, {"seed"}, row_of(values));
    graph.input("median." + name, {}, Tensor::scalar(static_cast<float>(median(values))));
  }

  template <class F>
  static void share(Graph& graph, const char* name, const std::vector<Outcome>& outcomes, F&& holds) {
    Numbers hits;
    for (const Outcome& o : outcomes) hits.push_back(holds(o.at_end) ? 1.0 : 0.0);
    graph.name(mean(graph.constant(row_of(hits))), name, {});
  }
};

struct RegressionSizes final : Lab {
  int draws = 20, seed = 0;
  double noise = 0.5;
  std::string edition = "zh";

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("draws", draws, 1, 100, "data sets for each size");
    v.number("noise", noise, 0.0, 10.0, "standard deviation of the noise in y");
    v.choice("edition", edition, {"zh", "en"}, "the curve: 2 sin x + x^0.8 (zh), 2 sin x + x (en)");
    v.integer("seed", seed, 0, 1 << 30, "of the data");
  }

  Result run(Graph& graph) override {
    const Numbers sizes = {10, 20, 50, 100, 200, 500, 1000}, widths = {1, 2, 3, 4, 6, 9, 14, 20};
    std::vector<Numbers> errors(widths.size());
    Numbers best_w, best_error;
    for (const double n : sizes) {
      const Numbers column = errors_of(static_cast<std::size_t>(n), widths);
      const auto best = std::ranges::min_element(column);
      best_w.push_back(widths[static_cast<std::size_t>(best - column.begin())]);
      best_error.push_back(*best);
      for (std::size_t i = 0; i < widths.size(); ++i) errors[i].push_back(column[i]);
    }
    graph.input("n", {"size"}, row_of(sizes));
    graph.input("w", {"width"}, row_of(widths));
    graph.input("error", {"width", "size"}, rows_of(errors));
    graph.input("best_w", {"size"}, row_of(best_w));
    graph.input("best_error", {"size"}, row_of(best_error));
    Result result = labelled("size", row_of(sizes));
    result.labels.push_back({"", "width", models::as_labels(row_of(widths))});
    return result;
  }

  /// Of each width, the mean over the draws.
  Numbers errors_of(std::size_t n, const Numbers& widths) const {
    Numbers out(widths.size(), 0.0);
    for (int draw = 0; draw < draws; ++draw) {
      Rng rng(static_cast<std::uint64_t>(seed) + static_cast<std::uint64_t>(draw));
      const models::RegressionData data(n, noise, edition, rng);
      for (std::size_t i = 0; i < widths.size(); ++i)
        out[i] += models::gaussian_error(data, static_cast<float>(widths[i])) / draws;
    }
    return out;
  }
};

}  // namespace

models::Kind regression_seeds() {
  return lab<RegressionSeeds>("kernel-regression-seeds", "kernel regression over many seeds: widths, losses, errors");
}

models::Kind regression_sizes() {
  return lab<RegressionSizes>("kernel-regression-sizes", "kernel regression from 10 to 1000 points, wide and narrow");
}

}  // namespace attn::labs
