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
  std::string numbers = "normal";
  bool compare = false;
  int measure_ms = 100;
  int seed = 0;

  void fields(models::FieldVisitor& v);
};

/// One product, C = A B, of normal random numbers: its values as steps, and how fast this device multiplies.
/// Records: a [row, depth] (stored [depth, row] if transposed), b [depth, column] (or [column, depth]), product
/// [row, column]; if compared: reference and difference [row, column]; each with an axis batch in front when there is more than one.
/// Metrics, unless measure_ms is 0: gflops (of a product, two operations a multiply-add), ms (of a product), products (measured),
/// and on the processor peak_gflops (of multiply-adds that never leave the registers) and share (their quotient); always:
/// multiply_adds; if compared: largest_difference and relative_difference (to the largest number of the reference).
/// On the path webgpu: upload_ms, compute_ms, readback_ms of one product whose phases are each
/// waited for, and upload_share, compute_share, readback_share of their sum; `ms` is a whole round trip without these waits.
/// Throws ConfigError (code matmul.no_gpu) if the GPU did not compute all of it.
class Matmul final : public models::Model {
 public:
  explicit Matmul(const MatmulConfig& config);

  static models::Kind kind();

  void config(models::FieldVisitor& v) override { config_.fields(v); }
  void inputs(models::FieldVisitor&) override {}
  models::Result run(Graph& graph) override;

 private:
  std::map<std::string, double> compared(Graph& graph, const Var& left, const Var& b, const Var& product) const;
  std::map<std::string, double> measure() const;
  MatmulConfig config_;
  Tensor a_, b_;
};

}  // namespace attn::labs
