// What of kernels/webgpu needs no GPU: how products are cut to a device's limits. The rest runs in a browser (tests/gpu).
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/samples.hpp"
#include "kernels/webgpu/device.hpp"
#include "kernels/webgpu/parts.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;
using kernels::MatmulArgs;
namespace gpu = attn::kernels::gpu;

namespace {

struct Sizes {
  std::size_t batch, m, n, k;
};

constexpr std::size_t kMuch = std::size_t{1} << 30U;

/// A product whose operands lie one behind the other from address 4 on: what a job says of them can be told without a device.
MatmulArgs at_addresses(const Sizes& s) {
  const auto at = [](std::size_t floats) { return reinterpret_cast<float*>(sizeof(float) * (1 + floats)); };
  const std::size_t a = s.batch * s.m * s.k, b = s.batch * s.k * s.n;
  return {at(0), at(a), at(a + b), s.batch, s.m, s.n, s.k, s.m * s.k, s.k, 1, s.k * s.n, s.n, 1, false};
}

std::size_t multiply_adds(const std::vector<std::vector<gpu::Job>>& submissions) {
  std::size_t sum = 0;
  for (const auto& jobs : submissions)
    for (const gpu::Job& job : jobs) sum += std::size_t{job.groups[2]} * job.product.m * job.product.n * job.product.k;
  return sum;
}

void check_parts(const Sizes& s, const gpu::Limits& limits) {
  const MatmulArgs args = at_addresses(s);
  const auto submissions = gpu::submissions_of({&args, 1}, limits, kMuch);
  INFO("batch ", s.batch, ", m ", s.m, ", n ", s.n, ", k ", s.k);
  REQUIRE(submissions.size() == 1);
  CHECK(multiply_adds(submissions) == s.batch * s.m * s.n * s.k);
  std::vector<int> written(s.batch * s.m * s.n);
  const std::size_t first = reinterpret_cast<std::uintptr_t>(args.c) / sizeof(float);
  for (const gpu::Job& job : submissions[0]) {
    for (const std::uint32_t groups : job.groups) CHECK(groups <= limits.groups);
    for (const std::size_t floats : {job.a.floats, job.b.floats, job.c_floats})
      CHECK(floats * sizeof(float) <= limits.bytes);
    for (std::size_t row = 0; row < job.groups[2] * job.product.m; ++row)
      for (std::size_t column = 0; column < job.product.n; ++column)
        ++written.at(job.c / sizeof(float) - first + row * job.c_row + column);
  }
  CHECK(std::ranges::count(written, 1) == static_cast<std::ptrdiff_t>(written.size()));  // each cell by one job
}

}  // namespace

TEST_CASE("gpu parts: a product within the limits is one job") {
  const MatmulArgs args = at_addresses({3, 33, 65, 7});
  const auto submissions = gpu::submissions_of({&args, 1}, {kMuch, 65535, 32}, kMuch);
  REQUIRE(submissions.size() == 1);
  REQUIRE(submissions[0].size() == 1);
  const gpu::Job& job = submissions[0][0];
  CHECK(job.a.floats == 3 * 33 * 7);
  CHECK(job.b.floats == 3 * 7 * 65);
  CHECK(job.start.floats == 0);
  CHECK(job.groups[0] == 3);
  CHECK(job.groups[1] == 2);
  CHECK(job.groups[2] == 3);
}

TEST_CASE("gpu parts: beyond the limits, every cell of C is written by exactly one job, and every job is within them") {
  check_parts({9, 3, 4, 5}, {kMuch, 4, 32});            // batch
  check_parts({1, 300, 4, 5}, {kMuch, 2, 32});          // rows
  check_parts({1, 4, 300, 5}, {kMuch, 2, 32});          // columns
  check_parts({1, 100, 15, 10}, {4 * 200, 65535, 32});  // bytes of A and of C
  check_parts({3, 40, 5, 10}, {4 * 120, 65535, 32});    // the same of a batch
  check_parts({1, 1, 900, 1}, {4 * 300, 65535, 32});    // one row
  check_parts({1, 900, 1, 10}, {4 * 1000, 65535, 32});  // one column
}

TEST_CASE("gpu parts: what fits nowhere is left to SIMD") {
  const MatmulArgs deep = at_addresses({1, 1, 1, 1000});
  CHECK(gpu::submissions_of({&deep, 1}, {4 * 999, 65535, 32}, kMuch).empty());
  const MatmulArgs wide = at_addresses({1, 2, 100, 10});  // a column of B lies across all of it
  CHECK(gpu::submissions_of({&wide, 1}, {4 * 500, 65535, 32}, kMuch).empty());
  const MatmulArgs nothing[] = {at_addresses({1, 0, 3, 4}), at_addresses({1, 2, 3, 0}), at_addresses({0, 2, 3, 4})};
  CHECK(gpu::submissions_of(nothing, {kMuch, 65535, 32}, kMuch).empty());
}

TEST_CASE("gpu parts: submissions hold so many bytes, and what adds to C goes in one or not at all") {
  MatmulArgs products[] = {at_addresses({1, 8, 8, 8}), at_addresses({1, 8, 8, 8}), at_addresses({1, 8, 8, 8})};
  const gpu::Limits limits{kMuch, 65535, 32};
  const std::size_t bytes = 4 * 3 * 64;  // of one
  CHECK(gpu::submissions_of(products, limits, 3 * bytes).size() == 1);
  CHECK(gpu::submissions_of(products, limits, 2 * bytes).size() == 2);
  CHECK(gpu::submissions_of(products, limits, 1).size() == 3);
  products[1].accumulate = true;
  const auto whole = gpu::submissions_of(products, limits, 4 * bytes);
  REQUIRE(whole.size() == 1);
  CHECK(whole[0][1].product.started == 1);
  CHECK(whole[0][1].product.start_row == 8);
  CHECK(gpu::submissions_of(products, limits, 2 * bytes).empty());
}

TEST_CASE("gpu: this build has none, and says so") {
  CHECK(gpu::status().state == gpu::State::absent);
  CHECK(std::string(gpu::why_not()) == "absent");
  gpu::start();
  gpu::choose(gpu::Choice::gpu);
  CHECK_FALSE(gpu::takes_all(kernels::MatmulPath::webgpu));
}

TEST_CASE("matmul kernel: several products at once are the same products") {
  Rng rng(8);
  Misaligned a(6 * 7, 1, rng), b(7 * 5, 2, rng), one(6 * 5, 0), two(6 * 5, 0), apart(6 * 5, 0);
  const auto product = [&](Misaligned& c) {
    return MatmulArgs{a.data(), b.data(), c.data(), 1, 6, 5, 7, 0, 7, 1, 0, 5, 1, false};
  };
  const std::size_t before = kernels::multiply_adds();
  const MatmulArgs both[] = {product(one), product(two)};
  kernels::matmul_many(kernels::MatmulPath::fastest, both);
  CHECK(kernels::multiply_adds() - before == 2 * 6 * 5 * 7);
  kernels::matmul(kernels::MatmulPath::simd, product(apart));
  CHECK(largest_error(one.span(), apart.span()) == 0.0);
  CHECK(largest_error(two.span(), apart.span()) == 0.0);
}
