// What is done when the GPU fails.
#include <doctest/doctest.h>

#include "kernels/webgpu/device.hpp"
#include "tensor/rng.hpp"
#include "tensor/tensor.hpp"

using namespace attn;
using kernels::MatmulPath;
namespace gpu = attn::kernels::gpu;

namespace {

struct Sum {
  Tensor a, b, c;
  Sum() : a(Tensor::full({3, 4}, 2.0F)), b(Tensor::full({4, 5}, 3.0F)), c(Tensor::zeros({3, 5})) {}
  bool right() {
    c.mutable_values()[14] = 0.0F;
    kernels::matmul(MatmulPath::webgpu, {a.data(), b.data(), c.data(), 1, 3, 5, 4, 0, 4, 1, 0, 5, 1, false});
    for (const float x : c.values())
      if (x != 24.0F) return false;
    return true;
  }
};

std::size_t lost() { return gpu::status().faults[static_cast<std::size_t>(gpu::Fault::lost)].count; }

}  // namespace

TEST_CASE(
    "gpu failures: after the device is lost its product is SIMD's, the next one a new device's; after the second, all "
    "are SIMD's") {
  gpu::choose(gpu::Choice::gpu);  // left to itself, a software adapter is off for being slow
  Sum sum;
  CHECK(sum.right());
  CHECK(gpu::status().state == gpu::State::on);
  const std::size_t faults = lost();

  gpu::destroy();
  double products = gpu::status().products;
  CHECK(sum.right());
  CHECK(gpu::status().products == products);
  CHECK(lost() == faults + 1);
  CHECK(gpu::fault_count() == faults + 1);
  CHECK(sum.right());
  CHECK(gpu::status().products == products + 1);
  CHECK(gpu::status().state == gpu::State::on);

  gpu::destroy();
  products = gpu::status().products;
  for (int i = 0; i < 3; ++i) CHECK(sum.right());
  CHECK(gpu::status().products == products);
  CHECK(lost() == faults + 2);
  CHECK(gpu::status().state == gpu::State::off);
  CHECK(std::string(gpu::why_not()) == "lost");

  gpu::start();  // who asks, gets another try
  CHECK(gpu::status().state == gpu::State::on);
  CHECK(sum.right());
  CHECK(gpu::status().products == products + 1);
  gpu::choose(gpu::Choice::automatic);
}

TEST_CASE("gpu failures: what is measured says who multiplies") {
  gpu::start();
  const gpu::Status s = gpu::status();
  CHECK(s.probe->products == 18);
  CHECK(s.probe->worst <= s.probe->tolerance);
  CHECK(s.kernels.size() == 2);
  CHECK(s.sizes.size() >= 3);
  Sum sum;
  const auto by_gpu = [&](gpu::Choice choice, MatmulPath path) {
    gpu::choose(choice);
    const double before = gpu::status().products;
    kernels::matmul(path, {sum.a.data(), sum.b.data(), sum.c.data(), 1, 3, 5, 4, 0, 4, 1, 0, 5, 1, false});
    gpu::choose(gpu::Choice::automatic);
    return gpu::status().products - before == 1.0;
  };
  CHECK_FALSE(by_gpu(gpu::Choice::automatic, MatmulPath::fastest));  // far below any crossover
  CHECK(by_gpu(gpu::Choice::gpu, MatmulPath::fastest));
  CHECK_FALSE(by_gpu(gpu::Choice::wasm, MatmulPath::fastest));
  CHECK(by_gpu(gpu::Choice::wasm, MatmulPath::webgpu));
  CHECK_FALSE(by_gpu(gpu::Choice::gpu, MatmulPath::simd));
}
