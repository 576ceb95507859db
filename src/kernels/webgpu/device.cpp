// Products by WebGPU: which, how, and what is done about its failures. The device itself is JavaScript's (gpu.js).
#include "kernels/webgpu/device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "kernels/webgpu/parts.hpp"
#include "tensor/rng.hpp"
#include "tensor/tensor.hpp"

// door.js. Those that wait suspend the module until their promise has settled.
extern "C" {
int attn_gpu_open(int fallback_too);  // waits; a Reason
void attn_gpu_limits(double* out);    // bytes of a binding, workgroups along an axis
// Waits; 0 or a Fault plus one. `phases` null, or three numbers that become milliseconds.
int attn_gpu_multiply(const attn::kernels::gpu::Job* jobs, std::size_t count, int kernel, double* phases, int repeat);
void attn_gpu_trim();
void attn_gpu_close();
void attn_gpu_destroy();
void attn_gpu_traffic(double* out);
char* attn_gpu_text(int which);
}

namespace attn::kernels::gpu {
namespace {

// Multiply-adds below which no GPU is asked for: SIMD needs 0.2 ms for them, about what the shortest wait for a GPU takes.
constexpr double kWorthAsking = 160.0 * 160.0 * 160.0;
constexpr double kTolerance = 1e-4;
constexpr std::size_t kMostBytes = 256 << 20;  // of one submission
constexpr std::size_t kMostMemoryFaults = 3;
constexpr const char* kKernels[] = {"blocked", "tiled"};
constexpr std::size_t kTiles[] = {32, 64};

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

/// Milliseconds of a call, the mean of as many as go into `budget`, after one that is not counted.
template <class F>
double time_of(double budget, F&& f) {
  f();
  const double start = now_ms();
  int calls = 0;
  do f();
  while (++calls < 50 && now_ms() - start < budget);
  return (now_ms() - start) / calls;
}

std::string text(int which) {
  char* found = attn_gpu_text(which);
  std::string out = found;
  std::free(found);
  return out;
}

double multiply_adds_of(std::span<const MatmulArgs> products) {
  double sum = 0.0;
  for (const MatmulArgs& x : products) sum += static_cast<double>(x.batch * x.m * x.n * x.k);
  return sum;
}

/// Operands and result of a product of normal random numbers.
struct Sample {
  Tensor a, b, c, bias;
  MatmulArgs args;

  struct Form {
    std::size_t batch, m, n, k;
    bool a_transposed = false, b_transposed = false, b_shared = false, accumulate = false, biased = false;
  };

  Sample(const Form& f, Rng& rng)
      : a({f.batch, f.m, f.k}),
        b({f.b_shared ? 1 : f.batch, f.k, f.n}),
        c(Tensor::full({f.batch, f.m, f.n}, 0.5F)),
        bias({f.n}) {
    for (Tensor* t : {&a, &b, &bias}) rng.fill_normal(*t);
    args = {std::as_const(a).data(),
            std::as_const(b).data(),
            c.data(),
            f.batch,
            f.m,
            f.n,
            f.k,
            f.m * f.k,
            f.a_transposed ? 1 : f.k,
            f.a_transposed ? f.m : 1,
            f.b_shared ? 0 : f.k * f.n,
            f.b_transposed ? 1 : f.n,
            f.b_transposed ? f.k : 1,
            f.accumulate,
            f.biased ? std::as_const(bias).data() : nullptr};
  }
};

/// Odd sizes beyond the tiles of both kernels, every layout, single rows and columns.
const Sample::Form kProbes[] = {
    {1, 1, 1, 1},
    {1, 1, 67, 33},
    {1, 67, 1, 129, true},
    {3, 7, 9, 5, true, false},
    {2, 33, 65, 17, false, true},
    {1, 65, 64, 130},
    {5, 10, 11, 8, true, true},
    {2, 31, 70, 64, false, true, true, false, true},
    {1, 97, 40, 31, false, false, false, true},
};

class Gpu {
 public:
  bool multiply(std::span<const MatmulArgs> products, bool all) {
    const bool insist = all || status_.choice == Choice::gpu;
    if (!all && status_.choice == Choice::wasm) return false;
    if (!insist && status_.state == State::idle && multiply_adds_of(products) < kWorthAsking) return false;
    if (!ready() || (!insist && !wins(products)) || !run(products)) return false;
    status_.products += static_cast<double>(products.size());
    return true;
  }

  bool multiply_in_phases(const MatmulArgs& product, Phases& phases) {
    return ready() && run_in_phases(product, kernel_, 1, phases);
  }

  void start() {
    const bool again = status_.state == State::off || (status_.state == State::on && slow());
    if (again) {
      if (status_.state == State::on) attn_gpu_close();
      status_.state = State::idle;
      measured_ = second_device_ = false;
      memory_faults_ = 0;
      most_bytes_ = kMostBytes;
    }
    ready();
  }

  void choose(Choice choice) { status_.choice = choice; }
  bool all(MatmulPath path) const {
    return path == MatmulPath::webgpu || (path == MatmulPath::fastest && status_.choice == Choice::gpu);
  }

  void allow_fallback() {
    fallback_too_ = true;
    if (status_.state == State::off && status_.reason == Reason::fallback_adapter) status_.state = State::idle;
  }

  void destroy() { attn_gpu_destroy(); }

  Status status() const {
    Status out = status_;
    if (out.state == State::on && slow() && out.choice == Choice::automatic) {
      out.state = State::off;
      out.reason = Reason::slow;
    }
    if (out.state == State::on) out.kernel = kKernels[kernel_];
    double traffic[2];
    attn_gpu_traffic(traffic);
    out.uploaded_bytes = traffic[0];
    out.kept_bytes = traffic[1];
    return out;
  }

  Reason why_not() const { return status_.state == State::off ? status_.reason : failure_; }

  std::size_t fault_count() const {
    std::size_t sum = 0;
    for (const FaultCount& f : status_.faults) sum += f.count;
    return sum;
  }

 private:
  bool slow() const { return measured_ && !status_.crossover; }

  // ---- getting a device

  bool ready() {
    if (status_.state == State::idle) open();
    return status_.state == State::on;
  }

  void open() {
    const auto reason = static_cast<Reason>(attn_gpu_open(fallback_too_ ? 1 : 0));
    if (reason != Reason::no_webgpu && reason != Reason::no_adapter)
      status_.adapter = Adapter{text(0), text(1), text(2), !text(3).empty()};
    if (reason != Reason::none) return turn_off(reason);
    double limits[2];
    attn_gpu_limits(limits);
    limits_.bytes = static_cast<std::size_t>(limits[0]);
    limits_.groups = static_cast<std::size_t>(limits[1]);
    status_.state = State::on;
    status_.reason = Reason::none;
    if (probe() && !measured_) measure();
  }

  void turn_off(Reason reason) {
    if (status_.state == State::on) attn_gpu_close();
    status_.state = State::off;
    status_.reason = reason;
  }

  /// Compares both kernels with SIMD; one that is wrong is never used.
  bool probe() {
    Rng rng(1);
    status_.probe = Probe{0, 0.0, kTolerance};
    double wrong = 0.0;
    for (std::size_t kernel = 0; kernel < std::size(kKernels); ++kernel) {
      std::vector<Sample> samples;
      for (const Sample::Form& form : kProbes) samples.emplace_back(form, rng);
      const double error = largest_error(samples, kernel);
      if (status_.state != State::on) return false;
      if (std::isnan(error)) return turn_off(Reason::failed), false;  // out of memory: nothing was compared
      right_[kernel] = error <= kTolerance;
      if (right_[kernel]) status_.probe->worst = std::max(status_.probe->worst, error);
      wrong = std::max(wrong, error);
      status_.probe->products += samples.size();
    }
    kernel_ = right_[kernel_] ? kernel_ : 1 - kernel_;
    if (right_[kernel_]) return true;
    status_.probe->worst = wrong;
    turn_off(Reason::wrong);
    return false;
  }

  /// All samples in one submission, against SIMD; NaN where they did not come back.
  double largest_error(std::vector<Sample>& samples, std::size_t kernel) {
    std::vector<MatmulArgs> products;
    std::vector<Tensor> want;
    for (Sample& s : samples) {
      products.push_back(s.args);
      want.push_back(s.c.copy());
      MatmulArgs args = s.args;
      args.c = want.back().data();
      matmul_simd(args);
    }
    if (!run(products, kernel)) return NAN;
    double worst = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (std::size_t j = 0; j < want[i].size(); ++j) {
        const double w = want[i].values()[j],
                     error = std::abs(samples[i].c.values()[j] - w) / std::max(1.0, std::abs(w));
        worst = std::isnan(error) ? INFINITY : std::max(worst, error);
      }
    return worst;
  }

  // ---- what it is good for

  /// Time of both kernels, then of products of growing size here and there.
  void measure() {
    const bool software = status_.adapter->fallback;
    measured_ = true;
    status_.kernels.clear();
    status_.sizes.clear();
    status_.crossover.reset();
    Rng rng(2);
    measure_kernels(software ? 64 : 512, software, rng);
    for (const std::size_t size : {32U, 64U, 128U, 256U, 512U, 1024U}) {
      if (software && size > 128) break;
      if (status_.state != State::on || !measure_size(size, rng)) return;
    }
  }

  void measure_kernels(std::size_t size, bool software, Rng& rng) {
    constexpr int kRepeat = 8;
    Sample sample({1, size, size, size}, rng);
    double best = INFINITY;
    for (std::size_t kernel = 0; kernel < std::size(kKernels); ++kernel) {
      Phases phases, again;
      if (!right_[kernel] || !run_in_phases(sample.args, kernel, kRepeat, phases) ||
          !run_in_phases(sample.args, kernel, kRepeat, again))
        continue;
      const double ms = std::min(phases.compute, again.compute) / kRepeat;
      status_.kernels.push_back({kKernels[kernel], ms});
      if (ms >= best) continue;
      best = ms;
      if (!software) kernel_ = kernel;  // software says nothing of kernels: there the first one serves
    }
    per_multiply_add_ = best / std::pow(static_cast<double>(size), 3);
  }

  /// Whether a larger size is worth measuring.
  bool measure_size(std::size_t size, Rng& rng) {
    Sample sample({1, size, size, size}, rng);
    const std::span<const MatmulArgs> product(&sample.args, 1);
    const double wasm = time_of(6.0, [&] { matmul_simd(sample.args); });
    const double gpu = time_of(12.0, [&] { run(product); });
    Phases phases;
    if (status_.state != State::on || !run_in_phases(sample.args, kernel_, 1, phases)) return false;
    status_.sizes.push_back({size, wasm, gpu});
    const double cube = std::pow(static_cast<double>(size), 3);
    if (status_.sizes.size() == 1) wait_ = gpu;
    per_wasm_multiply_add_ = wasm / cube;
    per_byte_ = (phases.upload + phases.readback) / (12.0 * static_cast<double>(size * size));
    if (gpu >= wasm)
      status_.crossover.reset();
    else if (!status_.crossover)
      status_.crossover = size;
    return gpu < 250.0 && wasm < 100.0;
  }

  /// Whether the GPU is expected to be faster: a wait, what goes to and fro, and the whole tiles that are computed.
  bool wins(std::span<const MatmulArgs> products) const {
    if (slow()) return false;
    const double tile = static_cast<double>(kTiles[kernel_]);
    double gpu = wait_, wasm = 0.0;
    for (const MatmulArgs& x : products) {
      const double batch = static_cast<double>(x.batch), m = static_cast<double>(x.m), n = static_cast<double>(x.n),
                   k = static_cast<double>(x.k);
      const double b = x.b_batch == 0 ? k * n : batch * k * n;
      gpu += 4.0 * (batch * m * k + b + batch * m * n) * per_byte_;
      gpu += batch * std::ceil(m / tile) * tile * std::ceil(n / tile) * tile * k * per_multiply_add_;
      wasm += batch * m * n * k * per_wasm_multiply_add_;
    }
    return gpu < wasm;
  }

  // ---- multiplying

  bool run(std::span<const MatmulArgs> products) { return run(products, kernel_); }

  bool run(std::span<const MatmulArgs> products, std::size_t kernel) {
    const Limits limits{limits_.bytes, limits_.groups, kTiles[kernel]};
    const auto submissions = submissions_of(products, limits, most_bytes_);
    if (submissions.empty()) return false;
    for (const auto& jobs : submissions)
      if (!submit(jobs, kernel, nullptr, 1)) return false;
    for (const MatmulArgs& x : products)
      if (x.k == 0) matmul_reference(x);
    return true;
  }

  bool run_in_phases(const MatmulArgs& product, std::size_t kernel, int repeat, Phases& phases) {
    const auto submissions =
        submissions_of({&product, 1}, {limits_.bytes, limits_.groups, kTiles[kernel]}, most_bytes_);
    phases = {};
    for (const auto& jobs : submissions) {
      double ms[3];
      if (!submit(jobs, kernel, ms, repeat)) return false;
      phases.upload += ms[0];
      phases.compute += ms[1];
      phases.readback += ms[2];
    }
    return !submissions.empty();
  }

  bool submit(const std::vector<Job>& jobs, std::size_t kernel, double* phases, int repeat) {
    const int fault = attn_gpu_multiply(jobs.data(), jobs.size(), static_cast<int>(kernel), phases, repeat);
    status_.submissions += 1;
    if (fault == 0) return true;
    failed(static_cast<Fault>(fault - 1), jobs);
    return false;
  }

  /// A device that is lost may have been reset: one new one is asked for, when the next product comes, but not a third, which
  /// would be lost too. Too little memory: smaller submissions may go. Anything else would happen again.
  void failed(Fault fault, const std::vector<Job>& jobs) {
    FaultCount& counted = status_.faults[static_cast<std::size_t>(fault)];
    counted.count += 1;
    counted.message = text(4);
    failure_ = fault == Fault::lost ? Reason::lost : Reason::failed;
    if (fault == Fault::lost) {
      turn_off(Reason::lost);
      if (!second_device_) status_.state = State::idle;
      second_device_ = true;
    } else if (fault == Fault::out_of_memory && ++memory_faults_ < kMostMemoryFaults) {
      attn_gpu_trim();
      most_bytes_ = std::min(most_bytes_, bytes_of(jobs)) / 2;
    } else {
      turn_off(Reason::failed);
    }
  }

  Status status_ = [] {
    Status s;
    s.state = State::idle;
    return s;
  }();
  Reason failure_ = Reason::failed;  // the last one
  bool fallback_too_ = false;
  bool second_device_ = false;     // has been asked for
  std::size_t memory_faults_ = 0;  // since somebody asked for another try
  bool measured_ = false;
  std::size_t kernel_ = 0;
  std::array<bool, std::size(kKernels)> right_{};
  Limits limits_{};
  std::size_t most_bytes_ = kMostBytes;
  // Milliseconds: of the smallest product's round trip, of a byte to and fro, of a multiply-add there and here.
  double wait_ = INFINITY, per_byte_ = 0.0, per_multiply_add_ = 0.0, per_wasm_multiply_add_ = 0.0;
};

/// A module has one thread and one device.
Gpu& device() {
  static Gpu gpu;
  return gpu;
}

}  // namespace

bool multiply(std::span<const MatmulArgs> products, bool all) { return device().multiply(products, all); }
bool multiply_in_phases(const MatmulArgs& product, Phases& phases) {
  return device().multiply_in_phases(product, phases);
}
bool takes_all(MatmulPath path) { return device().all(path); }
Status status() { return device().status(); }
const char* why_not() { return word(device().why_not()); }
std::size_t fault_count() { return device().fault_count(); }
void choose(Choice choice) { device().choose(choice); }
void allow_fallback() { device().allow_fallback(); }
void start() { device().start(); }
void destroy() { device().destroy(); }

}  // namespace attn::kernels::gpu
