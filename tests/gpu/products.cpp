// Products by the GPU against the reference: every op case with every product forced to it, and the kernel on its own.
#include <doctest/doctest.h>

#include <cmath>

#include "kernels/samples.hpp"
#include "kernels/webgpu/device.hpp"
#include "ops/run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;
using kernels::MatmulArgs;
using kernels::MatmulPath;
namespace gpu = attn::kernels::gpu;

namespace {

constexpr double kTolerance = 1e-4;  // the largest error seen is printed by each case

/// Products that the GPU has computed while it lives.
class Counted {
 public:
  double products() const { return gpu::status().products - before_; }

 private:
  double before_ = gpu::status().products;
};

struct Layout {
  bool a_transposed = false, b_transposed = false, b_shared = false, accumulate = false, biased = false;
};

struct Product {
  std::size_t batch, m, n, k;
  Layout layout;
  Misaligned a, b, bias, got, want;
  MatmulArgs args;

  Product(std::size_t batch_, std::size_t m_, std::size_t n_, std::size_t k_, const Layout& l, Rng& rng)
      : batch(batch_),
        m(m_),
        n(n_),
        k(k_),
        layout(l),
        a(batch * m * k, 1, rng),
        b((l.b_shared ? 1 : batch) * k * n, 2, rng),
        bias(n, 3, rng),
        got(batch * m * n, 0, rng),
        want(got),
        args{a.data(),
             b.data(),
             got.data(),
             batch,
             m,
             n,
             k,
             m * k,
             l.a_transposed ? 1 : k,
             l.a_transposed ? m : 1,
             l.b_shared ? 0 : k * n,
             l.b_transposed ? 1 : n,
             l.b_transposed ? k : 1,
             l.accumulate,
             l.biased ? bias.data() : nullptr} {}

  double error() {
    MatmulArgs plain = args;
    plain.c = want.data();
    kernels::matmul_reference(plain);
    return largest_error(got.span(), want.span());
  }
};

double worst = 0.0;

void check(Product& p) {
  const double error = p.error();
  worst = std::max(worst, error);
  INFO("batch ", p.batch, ", m ", p.m, ", n ", p.n, ", k ", p.k, ", a transposed ", p.layout.a_transposed,
       ", b transposed ", p.layout.b_transposed, ", b shared ", p.layout.b_shared, ", accumulate ", p.layout.accumulate,
       ", bias ", p.layout.biased);
  CHECK(error <= kTolerance);
  CHECK(p.got.intact());
}

CaseRun there_and_back(const OpCase& c, const OpGolden& golden, MatmulPath path) {
  CaseRun run = forward(c, golden.inputs, Record::everything, path);
  run.graph->backward(weighed(run.output, golden.upstream));
  return run;
}

}  // namespace

TEST_CASE("gpu: its products give every op case's output and gradients") {
  worst = 0.0;
  const Counted counted;
  for_each_case([](const OpCase& c, const OpGolden& golden) {
    const CaseRun got = there_and_back(c, golden, MatmulPath::webgpu),
                  want = there_and_back(c, golden, MatmulPath::reference);
    check_close(c.name + ", output", got.output.value(), want.output.value(), kTolerance);
    check_close(c.name + ", output of PyTorch", got.output.value(), golden.output, std::max(kTolerance, c.tolerance));
    worst = std::max(worst, largest_error(got.output.value(), want.output.value()));
    for (const std::size_t i : c.differentiable) {
      check_close(c.name + ", gradient", got.inputs[i].gradient(), want.inputs[i].gradient(), kTolerance);
      worst = std::max(worst, largest_error(got.inputs[i].gradient(), want.inputs[i].gradient()));
    }
  });
  CHECK(counted.products() > 50);  // and they were the GPU's
  MESSAGE("op cases: largest error ", worst, " in ", counted.products(), " products");
}

TEST_CASE("gpu: odd sizes in every layout, all in a few submissions") {
  worst = 0.0;
  Rng rng(3);
  const double before = gpu::status().submissions;
  const Counted counted;
  double asked = 0;
  for (const bool a : {false, true})
    for (const bool b : {false, true})
      for (const bool shared : {false, true})
        for (const auto& [accumulate, biased] : {std::pair{false, false}, {true, false}, {false, true}}) {
          const Layout l{a, b, shared, accumulate, biased};
          std::vector<std::unique_ptr<Product>> products;
          std::vector<MatmulArgs> args;
          for (const std::size_t m : {1U, 7U, 31U, 33U, 65U})
            for (const std::size_t n : {1U, 3U, 16U, 64U, 67U})
              for (const std::size_t k : {1U, 15U, 16U, 33U}) {
                products.push_back(std::make_unique<Product>(m % 2 == 1 ? 3 : 1, m, n, k, l, rng));
                args.push_back(products.back()->args);
              }
          asked += static_cast<double>(args.size());
          kernels::matmul_many(MatmulPath::webgpu, args);
          for (auto& product : products) check(*product);
        }
  CHECK(counted.products() == asked);
  CHECK(gpu::status().submissions - before == 24.0);
  MESSAGE("layouts: largest error ", worst);
}

TEST_CASE("gpu: depth 0 gives zeros or the bias beside products that have one, and no rows write nothing") {
  Rng rng(4);
  Product whole(1, 5, 6, 7, {}, rng), empty(1, 3, 4, 0, {.biased = true}, rng), none(1, 0, 4, 3, {}, rng);
  const MatmulArgs args[] = {whole.args, empty.args, none.args};
  const Counted counted;
  kernels::matmul_many(MatmulPath::webgpu, args);
  CHECK(counted.products() == 3.0);
  check(whole);
  for (std::size_t i = 0; i < 12; ++i) CHECK(empty.got.span()[i] == empty.bias.span()[i % 4]);
  CHECK(none.got.intact());
}

TEST_CASE("gpu: more products in a batch than a dispatch may have workgroups are split") {
  Rng rng(5);
  Product p(70'000, 1, 2, 3, {}, rng);
  const Counted counted;
  kernels::matmul(MatmulPath::webgpu, p.args);
  CHECK(counted.products() == 1.0);
  check(p);
}

TEST_CASE("gpu: infinity and NaN in an operand reach the cells that read them, and no others") {
  Tensor a = Tensor::of({2, 2}, {1, 2, 3, INFINITY}), b = Tensor::of({2, 2}, {1, 1, 1, 1}), c({2, 2});
  const Counted counted;
  kernels::matmul(MatmulPath::webgpu, {a.data(), b.data(), c.data(), 1, 2, 2, 2, 4, 2, 1, 4, 2, 1, false});
  CHECK(counted.products() == 1.0);
  CHECK(c.values()[0] == 3.0F);
  CHECK(c.values()[1] == 3.0F);
  CHECK(c.values()[2] == INFINITY);
  CHECK(c.values()[3] == INFINITY);
}

TEST_CASE("gpu: a weight is uploaded when it has changed, and not before") {
  Rng rng(6);
  Tensor x({4, 8}), w({8, 5}), y({4, 5});
  rng.fill_normal(x);
  rng.fill_normal(w);
  const auto multiply = [&] {
    kernels::matmul(MatmulPath::webgpu, {std::as_const(x).data(), std::as_const(w).data(), y.data(), 1, 4, 5, 8, 0, 8,
                                         1, 0, 5, 1, false, nullptr, 0, w.version()});
    return gpu::status();
  };
  const gpu::Status first = multiply(), second = multiply();
  CHECK(second.kept_bytes - first.kept_bytes == 8 * 5 * 4);
  CHECK(second.uploaded_bytes - first.uploaded_bytes == 4 * 8 * 4);
  const float before = y.values()[0];
  w.data()[0] += 1.0F;  // and with it w's version
  const gpu::Status third = multiply();
  CHECK(third.kept_bytes == second.kept_bytes);
  CHECK(third.uploaded_bytes - second.uploaded_bytes == (4 * 8 + 8 * 5) * 4);
  CHECK(error_of(y.values()[0] - before, x.values()[0]) <= kTolerance);
}

TEST_CASE("gpu: another weight at the address of one that is gone is another weight") {
  Tensor x = Tensor::of({1, 2}, {1, 1}), y({1, 1});
  const float* address = nullptr;
  for (const float value : {2.0F, 3.0F, 4.0F}) {
    const Tensor w = Tensor::of({2, 1}, {value, value});
    CHECK((address == nullptr || address == w.data()));  // the pool gives it again: that is the case to be tested
    address = w.data();
    kernels::matmul(MatmulPath::webgpu,
                    {x.data(), w.data(), y.data(), 1, 1, 1, 2, 0, 2, 1, 0, 1, 1, false, nullptr, 0, w.version()});
    CHECK(y.item() == 2.0F * value);
  }
}

TEST_CASE("gpu: its memory may be asked for while the module's grows") {
  Rng rng(7);
  for (int i = 0; i < 3; ++i) {
    Product p(1, 33, 17, 40, {}, rng);
    Tensor more({std::size_t{6} << 20U});  // 24 MiB: beyond what the module has
    more.data()[0] = 1.0F;
    kernels::matmul(MatmulPath::webgpu, p.args);
    check(p);
  }
}
