#pragma once

#include "models/model.hpp"

namespace attn::models {

/// Nadaraya–Watson kernel regression: attention with nothing but a query, keys and values.   (Nadaraya 1964, Watson 1964)
struct KernelRegressionConfig {
  int n = 50;
  double noise = 0.5;
  std::string edition = "zh";
  int seed = 0;
  bool random_w = true;
  double first_w = 1.0;
  std::string optimizer = "sgd";
  double learning_rate = 0.5;
  int epochs = 5;
  bool leave_one_out = true;

  void fields(FieldVisitor& v);
};

/// The inputs of a run: a kernel to try beside the three forms.
struct KernelChoice {
  std::string kernel = "gaussian";
  double width = 1.0;
  std::string formula = "exp(-u^2/2)";

  void fields(FieldVisitor& v);
};

/// y = f(x) + noise · N(0, 1) with f(x) = 2 sin x + x^0.8 (zh) or 2 sin x + x (en); x is drawn from U[0, 5) and sorted.
/// Queries stand at 0, 0.1, … 4.9.
struct RegressionData {
  Tensor x_train, y_train;  // [n], the keys and the values
  Tensor x_test, truth;     // [50], the queries and the function without noise
  RegressionData(std::size_t n, double noise, const std::string& edition, Rng& rng);
};

/// Mean squared error against the truth of the Gaussian kernel with this w, all keys seen.
double gaussian_error(const RegressionData& data, float w);

/// Queries against keys: one row of keys for all queries, or (in training) a row for each.
struct Pairing {
  Var queries;   // [query]
  Var keys;      // [key]
  Var distance;  // [query, key]
  Var values;    // [key] or [query, key]
  Var wanted;    // [query]
};

class KernelRegression final : public Model, public train::Task {
 public:
  explicit KernelRegression(const KernelRegressionConfig& config);

  static Kind kind();

  void visit(const nn::Visitor& f) override { f("w", w_); }
  void config(FieldVisitor& v) override { config_.fields(v); }
  void inputs(FieldVisitor& v) override;
  /// Records: data.x_train [key], data.y_train [key], data.x_test [query], data.truth [query], distance [query, key],
  /// learned.w [parameter]. For each form — average, fixed (softmax of −distance²/2), learned (of −(distance · w)²/2) and
  /// kernel (the inputs' choice) —
  ///   scores [query, key], weights [query, key], prediction [query], error [] against the truth, mean of squares;
  ///   roughness.<form> []: root mean square of the prediction's second derivative, 0 for a straight line;
  ///   train.<form>.scores … error: the same for the training points as queries, each predicted as in training (from the
  ///   others alone when leave_one_out); before them train.distance [query, key].
  ///   loss []: what training makes small, the sum of squares of train.learned.prediction's errors.
  /// Beyond kTraced points train.<form> has only the error, as a number that does not open, and there is no loss.
  /// kernel besides: u [query, key], the distance in widths; but for the Gaussian instead of scores: the parts of its
  /// formula, similarity [query, key], total [query], has_data [query]: 0 marks a query without a neighbour, whose weights
  /// and prediction are 0 and stand for nothing (fault B29); covered []: the share of queries with data; error and
  /// roughness are taken over those. shape.distance [place], shape.similarity [place]: the kernel's curve.
  /// Throws DataError if the formula cannot be read, or gives what is no weight (negative or no number).
  Result run(Graph& graph) override;

  train::Task* task() override { return this; }
  std::unique_ptr<train::Optimizer> optimizer(train::Parameters parameters) override;
  train::Settings settings() const override { return {.epochs = config_.epochs, .seed = 0}; }

  // train::Task: full batches of all training points, each predicted from the others (or from all).
  std::size_t batches() const override { return 1; }
  void begin_epoch(Rng&) override {}
  Batch forward(Graph& graph, std::size_t batch) override;
  std::map<std::string, double> metrics(double loss, double items) const override;

  static constexpr std::size_t kTraced = 200;  // above it, every pair of points would cost a run 80 MB

 private:
  Pairing test_pairs(Graph& graph) const;

  KernelRegressionConfig config_;
  KernelChoice choice_;
  Rng rng_;  // data first, then w
  RegressionData data_;
  Parameter w_;  // [1], from U[0, 1) or given
};

}  // namespace attn::models
