#pragma once

#include "models/model.hpp"

namespace attn::labs {

struct MatmulConfig {
  int m = 64;
  int n = 64;
  int k = 64;
  int batch = 1;
  bool a_transposed = false;
  bool b_transposed = false;
  std::string path = "simd";
  int measure_ms = 100;
  int seed = 0;

  void fields(models::FieldVisitor& v);
};

/// One product, C = A B, of normal random numbers: its values as steps, and how fast this device multiplies.
/// Records: a [row, depth] (stored [depth, row] if transposed), b [depth, column] (or [column, depth]), product
/// [row, column]; each with an axis batch in front when there is more than one.
/// Metrics, unless measure_ms is 0: gflops (of a product, two operations a multiply-add), ms (of a product),
/// peak_gflops (of multiply-adds that never leave the registers), share (their quotient), products (measured);
/// always: multiply_adds.
class Matmul final : public models::Model {
 public:
  explicit Matmul(const MatmulConfig& config);

  static models::Kind kind();

  void config(models::FieldVisitor& v) override { config_.fields(v); }
  void inputs(models::FieldVisitor&) override {}
  models::Result run(Graph& graph) override;

 private:
  std::map<std::string, double> measure() const;
  MatmulConfig config_;
  Tensor a_, b_;
};

}  // namespace attn::labs
