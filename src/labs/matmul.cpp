#include "labs/matmul.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "kernels/peak.hpp"
#include "kernels/webgpu/device.hpp"
#include "ops/arithmetic.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "tensor/refusal.hpp"

namespace attn::labs {
namespace {

using kernels::MatmulArgs;
using kernels::MatmulPath;

MatmulPath path_of(const MatmulConfig& c) {
  if (c.path == "webgpu") return MatmulPath::webgpu;
  return c.path == "reference" ? MatmulPath::reference : MatmulPath::simd;
}

std::size_t size(int x) { return static_cast<std::size_t>(x); }

/// [rows, columns], or [columns, rows] if stored transposed; a batch of them where there is more than one.
Shape shape_of(int batch, int rows, int columns, bool transposed) {
  if (transposed) std::swap(rows, columns);
  const Shape matrix{size(rows), size(columns)};
  return batch == 1 ? matrix : matrix.inserted(0, size(batch));
}

Axes axes_of(int batch, const char* rows, const char* columns, bool transposed) {
  Axes out = transposed ? Axes{columns, rows} : Axes{rows, columns};
  if (batch > 1) out.insert(out.begin(), "batch");
  return out;
}

Var swapped(const Var& x) {
  return transpose(x, x.shape().rank() == 2 ? List<std::size_t>{1, 0} : List<std::size_t>{0, 2, 1});
}

double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// How often f can be called in a second: the median of several slices of `budget` seconds in all.
class Stopwatch {
 public:
  template <class F>
  void slice(double budget, F&& f) {
    const double start = seconds();
    std::size_t done = 0, more = 1;
    double passed = 0.0;
    for (; passed < budget; more *= 2) {  // the clock of a browser is coarse: it is read ever more rarely
      for (std::size_t i = 0; i < more; ++i) f();
      done += more;
      passed = seconds() - start;
    }
    rates_.push_back(static_cast<double>(done) / passed);
    calls_ += done;
  }
  double rate() {
    std::ranges::sort(rates_);
    return rates_[rates_.size() / 2];
  }
  std::size_t calls() const { return calls_; }

 private:
  std::vector<double> rates_;
  std::size_t calls_ = 0;
};

/// Refused before anything is allocated: products that this machine could not hold, or that would take minutes.
void check_size(const MatmulConfig& c) {
  const double batch = c.batch, floats = batch * (1.0 * c.m * c.k + 1.0 * c.k * c.n + 1.0 * c.m * c.n);
  const double products = batch * c.m * c.n * c.k, most = path_of(c) == MatmulPath::reference || c.compare ? 2e9 : 2e10;
  if (floats > 3e7 || products > most)
    throw ConfigError("matmul: " + std::to_string(c.batch) + " × (" + std::to_string(c.m) + "×" + std::to_string(c.k) +
                      " · " + std::to_string(c.k) + "×" + std::to_string(c.n) +
                      ") is too large to be measured here; take smaller matrices or fewer of them");
}

/// Throws ConfigError if one of the products that were asked of the GPU since then was computed by somebody else: the lab never
/// passes SIMD's numbers off as the GPU's.
class ByGpu {
 public:
  void check(std::size_t products) const {
    if (kernels::gpu::status().products - before_ < static_cast<double>(products))
      throw refused<ConfigError>("matmul.no_gpu", "matmul: the graphics card does not multiply here ({reason})",
                                 {{"reason", kernels::gpu::why_not()}});
  }

 private:
  double before_ = kernels::gpu::status().products;
};

/// The phases of one product, of the quickest of three.
std::map<std::string, double> phases_of(const MatmulArgs& product) {
  kernels::gpu::Phases best;
  double least = INFINITY;
  for (int i = 0; i < 3; ++i) {
    kernels::gpu::Phases p;
    const ByGpu gpu;
    if (!kernels::gpu::multiply_in_phases(product, p)) gpu.check(1);
    const double sum = p.upload + p.compute + p.readback;
    if (sum < least) best = p, least = sum;
  }
  return {{"upload_ms", best.upload},
          {"compute_ms", best.compute},
          {"readback_ms", best.readback},
          {"upload_share", best.upload / least},
          {"compute_share", best.compute / least},
          {"readback_share", best.readback / least}};
}

}  // namespace

void MatmulConfig::fields(models::FieldVisitor& v) {
  v.integer("m", m, 1, 2048, "rows of A and of the product");
  v.integer("n", n, 1, 2048, "columns of B and of the product");
  v.integer("k", k, 1, 2048, "depth: columns of A, rows of B");
  v.integer("batch", batch, 1, 4096, "how many products at once");
  v.boolean("a_transposed", a_transposed, "A is stored column by column");
  v.boolean("b_transposed", b_transposed, "B is stored column by column");
  v.choice("path", path, {"reference", "simd", "webgpu"},
           "who multiplies: three plain loops, the fast kernel, or the graphics card");
  v.choice("numbers", numbers, {"normal", "whole"},
           "in A and B: normal ones, or whole ones from -4 to 4, of which every sum is exact in any order");
  v.boolean("compare", compare, "multiply by the three plain loops too, and tell how far apart the results are");
  v.integer("measure_ms", measure_ms, 0, 10000, "how long to measure the speed; 0: not at all");
  v.integer("seed", seed, 0, 1 << 30, "of the numbers in A and B");
}

Matmul::Matmul(const MatmulConfig& config) : config_(config) {
  check_size(config_);
  Rng rng(static_cast<std::uint64_t>(config_.seed));
  a_ = Tensor(shape_of(config_.batch, config_.m, config_.k, config_.a_transposed));
  b_ = Tensor(shape_of(config_.batch, config_.k, config_.n, config_.b_transposed));
  for (Tensor* t : {&a_, &b_}) {
    rng.fill_normal(*t);
    if (config_.numbers == "whole")
      for (float& x : t->mutable_values()) x = std::clamp(std::round(2.0F * x), -4.0F, 4.0F);
  }
}

models::Kind Matmul::kind() {
  return {"matmul",
          true,
          "a matrix product, its numbers and its speed on this device",
          {},
          false,
          [] { return std::unique_ptr<models::Model>(new Matmul(MatmulConfig{.m = 1, .n = 1, .k = 1})); },
          [](models::FieldVisitor& assign, models::Opening) {
            MatmulConfig config;
            config.fields(assign);
            return std::unique_ptr<models::Model>(new Matmul(config));
          }};
}

models::Result Matmul::run(Graph& graph) {
  const MatmulConfig& c = config_;
  graph.multiply_with(path_of(c));
  const Var a = graph.input("a", axes_of(c.batch, "row", "depth", c.a_transposed), a_, true);
  const Var b = graph.input("b", axes_of(c.batch, "depth", "column", c.b_transposed), b_, true);
  const std::size_t before = kernels::multiply_adds();
  const ByGpu gpu;
  const Var left = c.a_transposed ? swapped(a) : a;
  const Var product = c.b_transposed ? matmul_transposed(left, b) : matmul(left, b);
  if (path_of(c) == MatmulPath::webgpu) gpu.check(1);
  models::Result result;
  result.metrics["multiply_adds"] = static_cast<double>(kernels::multiply_adds() - before);
  graph.name(product, "product", axes_of(c.batch, "row", "column", false));
  if (c.compare) result.metrics.merge(compared(graph, left, b, product));
  if (c.measure_ms > 0) result.metrics.merge(measure());
  return result;
}

std::map<std::string, double> Matmul::compared(Graph& graph, const Var& left, const Var& b, const Var& product) const {
  const MatmulConfig& c = config_;
  graph.multiply_with(MatmulPath::reference);
  const Axes axes = axes_of(c.batch, "row", "column", false);
  const Var reference = graph.name(c.b_transposed ? matmul_transposed(left, b) : matmul(left, b), "reference", axes);
  const Var difference = graph.name(product - reference, "difference", axes);
  const auto largest = [](const Var& x) {
    double out = 0.0;
    for (const float value : x.value().values()) out = std::max(out, std::abs(static_cast<double>(value)));
    return out;
  };
  const double apart = largest(difference), size = largest(reference);
  return {{"largest_difference", apart}, {"relative_difference", size > 0.0 ? apart / size : 0.0}};
}

std::map<std::string, double> Matmul::measure() const {
  const MatmulConfig& c = config_;
  constexpr int kSlices = 5;
  const std::size_t m = size(c.m), n = size(c.n), k = size(c.k);
  Tensor out(shape_of(c.batch, c.m, c.n, false));
  const MatmulArgs product{.a = a_.data(),
                           .b = b_.data(),
                           .c = out.data(),
                           .batch = size(c.batch),
                           .m = m,
                           .n = n,
                           .k = k,
                           .a_batch = m * k,
                           .a_row = c.a_transposed ? 1 : k,
                           .a_column = c.a_transposed ? m : 1,
                           .b_batch = k * n,
                           .b_row = c.b_transposed ? 1 : n,
                           .b_column = c.b_transposed ? k : 1,
                           .accumulate = false};
  const double budget = c.measure_ms / 1000.0 / kSlices;
  Stopwatch products, peak;
  double operations = 0.0;
  const ByGpu gpu;
  const double start = seconds();
  for (int i = 0; i < kSlices && (i == 0 || seconds() - start < c.measure_ms / 1000.0);
       ++i) {  // in turn: one machine for both
    products.slice(0.8 * budget, [&] { kernels::matmul(path_of(c), product); });
    peak.slice(0.2 * budget, [&] { operations = static_cast<double>(kernels::multiply_in_registers(1000)); });
  }
  const double gflops = 2e-9 * static_cast<double>(size(c.batch) * m * n * k) * products.rate();
  std::map<std::string, double> found = {
      {"gflops", gflops}, {"ms", 1000.0 / products.rate()}, {"products", static_cast<double>(products.calls())}};
  if (path_of(c) == MatmulPath::webgpu) {
    gpu.check(products.calls());
    found.merge(phases_of(product));
  } else {
    found["peak_gflops"] = 2e-9 * operations * peak.rate();
    found["share"] = gflops / found["peak_gflops"];
  }
  return found;
}

}  // namespace attn::labs
