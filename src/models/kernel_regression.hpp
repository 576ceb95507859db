#pragma once

#include "models/model.hpp"

namespace attn::models {

/// Nadaraya–Watson kernel regression: attention with nothing but a query, keys and values.   (Nadaraya 1964, Watson 1964)
struct KernelRegressionConfig {
  int n = 50;
  double noise = 0.5;
  int seed = 0;
  std::string optimizer = "sgd";
  double learning_rate = 0.5;
  int epochs = 5;
  bool leave_one_out = true;

  void fields(FieldVisitor& v);
};

/// y = 2 sin x + x^0.8 + noise · N(0, 1); x is drawn from U[0, 5) and sorted. Queries stand at 0, 0.1, … 4.9.
struct RegressionData {
  Tensor x_train, y_train;  // [n], the keys and the values
  Tensor x_test, truth;     // [50], the queries and the function without noise
  RegressionData(std::size_t n, double noise, Rng& rng);
};

class KernelRegression final : public Model, public train::Task {
 public:
  explicit KernelRegression(const KernelRegressionConfig& config);

  static Kind kind();

  void visit(const nn::Visitor& f) override { f("w", w_); }
  void config(FieldVisitor& v) override { config_.fields(v); }
  void inputs(FieldVisitor&) override {}
  /// Records: data.x_train [key], data.y_train [key], data.x_test [query], data.truth [query]; for each of average, fixed
  /// and learned: scores [query, key], weights [query, key], prediction [query], error []; distance [query, key] and
  /// learned.w [parameter] besides.
  Result run(Graph& graph) override;

  train::Task* task() override { return this; }
  std::unique_ptr<train::Optimizer> optimizer(train::Parameters parameters) override;
  train::Settings settings() const override { return {.epochs = config_.epochs, .seed = 0}; }

  // train::Task: full batches of all training points, each predicted from the others (or from all).
  std::size_t batches() const override { return 1; }
  void begin_epoch(Rng&) override {}
  Batch forward(Graph& graph, std::size_t batch) override;
  std::map<std::string, double> metrics(double loss, double items) const override;

 private:
  KernelRegressionConfig config_;
  Rng rng_;  // data first, then w
  RegressionData data_;
  Parameter w_;  // [1], from U[0, 1)
};

}  // namespace attn::models
