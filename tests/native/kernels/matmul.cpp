#include "kernels/matmul.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "kernels/samples.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;
using kernels::MatmulArgs;
using kernels::MatmulPath;

namespace {

struct Sizes {
  std::size_t batch, m, n, k;
};

struct Layout {
  bool a_transposed = false, b_transposed = false, b_shared = false, accumulate = false, biased = false;
};

/// The operands of one product, at odd addresses, and where both paths write.
struct Product {
  Misaligned a, b, bias, fast, plain;
  MatmulArgs args;

  Product(const Sizes& s, const Layout& l, std::size_t shift, Rng& rng)
      : a(s.batch * s.m * s.k, shift, rng),
        b((l.b_shared ? 1 : s.batch) * s.k * s.n, (shift + 1) % 4, rng),
        bias(s.n, (shift + 3) % 4, rng),
        fast(s.batch * s.m * s.n, (shift + 2) % 4, rng),
        plain(fast),
        args{a.data(),
             b.data(),
             nullptr,
             s.batch,
             s.m,
             s.n,
             s.k,
             s.m * s.k,
             l.a_transposed ? 1 : s.k,
             l.a_transposed ? s.m : 1,
             l.b_shared ? 0 : s.k * s.n,
             l.b_transposed ? 1 : s.n,
             l.b_transposed ? s.k : 1,
             l.accumulate,
             l.biased ? bias.data() : nullptr} {}

  /// Largest difference of the paths, in units of max(1, |value|).
  double run() {
    args.c = fast.data();
    kernels::matmul(MatmulPath::simd, args);
    args.c = plain.data();
    kernels::matmul(MatmulPath::reference, args);
    return largest_error(fast.span(), plain.span());
  }
};

void check(const Sizes& s, const Layout& l, std::size_t shift, double tolerance) {
  Rng rng(s.m * 10007 + s.n * 101 + s.k);
  Product product(s, l, shift, rng);
  const double error = product.run();
  INFO("batch ", s.batch, ", m ", s.m, ", n ", s.n, ", k ", s.k, ", shift ", shift, ", a transposed ", l.a_transposed,
       ", b transposed ", l.b_transposed, ", b shared ", l.b_shared, ", accumulate ", l.accumulate, ", bias ",
       l.biased);
  CHECK(error <= tolerance);
  CHECK((product.fast.intact() && product.plain.intact()));
  measured("kernel matmul, simd against reference, k up to " + std::to_string(s.k <= 67 ? 67 : 600), error, "");
}

constexpr double kTolerance = 1e-5;  // measured for k up to 67: 3.4e-6

void for_layouts(void (*f)(const Layout&)) {
  for (const bool a : {false, true})
    for (const bool b : {false, true})
      for (const bool shared : {false, true})
        for (const auto& [accumulate, biased] : {std::pair{false, false}, {true, false}, {false, true}})
          f({a, b, shared, accumulate, biased});
}

}  // namespace

TEST_CASE("matmul kernel: simd gives the reference's product for odd sizes in every layout") {
  for_layouts([](const Layout& l) {
    for (const std::size_t m : {1U, 2U, 3U, 5U, 6U, 7U, 13U})
      for (const std::size_t n : {1U, 3U, 8U, 15U, 16U, 17U, 33U})
        for (const std::size_t k : {1U, 2U, 7U, 16U, 67U}) check({1, m, n, k}, l, (m + n + k) % 4, kTolerance);
  });
}

TEST_CASE("matmul kernel: simd gives the reference's product for batches in every layout") {
  for_layouts([](const Layout& l) {
    for (const std::size_t batch : {2U, 5U}) check({batch, 7, 9, 5}, l, 1, kTolerance);
    check({300, 10, 10, 8}, l, 2, kTolerance);
    check({3, 1, 11, 9}, l, 3, kTolerance);
    check({3, 11, 1, 9}, l, 0, kTolerance);
  });
}

// Blocks of both operands are copied, with odd ends in each direction. Measured: 2.5e-5.
TEST_CASE("matmul kernel: simd gives the reference's product for matrices beyond its blocks in every layout") {
  for_layouts([](const Layout& l) {
    if (l.b_shared) return;
    check({1, 503, 23, 301}, l, 1, 5e-5);
    check({1, 127, 525, 259}, l, 2, 5e-5);
  });
}

TEST_CASE("matmul kernel: operands that are contiguous in no direction are read through their strides") {
  Rng rng(5);
  const std::size_t m = 7, n = 9, k = 6;
  Misaligned a(2 * m * k, 1, rng), b(3 * k * n, 2, rng), fast(m * n, 3), plain(m * n, 3);
  const MatmulArgs args{a.data(), b.data(), nullptr, 1, m, n, k, 0, 2 * k, 2, 0, 3 * n, 3, false};
  MatmulArgs simd = args, reference = args;
  simd.c = fast.data();
  reference.c = plain.data();
  kernels::matmul(MatmulPath::simd, simd);
  kernels::matmul(MatmulPath::reference, reference);
  CHECK(largest_error(fast.span(), plain.span()) <= kTolerance);
  CHECK(fast.intact());
}

TEST_CASE("matmul kernel: a sum runs over the depth in order, however the product is cut into tiles") {
  Rng rng(6);
  const std::size_t k = 700;
  Misaligned a(40 * k, 0, rng), b(k * 40, 0, rng), whole(40 * 40, 0), part(4, 0);
  const auto product = [&](std::size_t m, std::size_t n, float* c) {
    kernels::matmul(MatmulPath::simd, {a.data(), b.data(), c, 1, m, n, k, 0, k, 1, 0, 40, 1, false});
  };
  product(40, 40, whole.data());
  product(2, 2, part.data());
  for (std::size_t i = 0; i < 4; ++i) CHECK(part.data()[i] == whole.data()[i / 2 * 40 + i % 2]);
}

TEST_CASE("matmul kernel: any alignment will do") {
  for (const std::size_t shift : kShifts) check({2, 6, 16, 8}, {}, shift, kTolerance);
}

// Multiply-adds that round once, against products and sums that round each. Measured: 1.8e-5.
TEST_CASE("matmul kernel: a depth beyond one packed panel is added up, with and without what stood in C") {
  for (const std::size_t k : {255U, 256U, 257U, 511U, 513U, 600U})
    for (const bool accumulate : {false, true}) check({2, 7, 19, k}, {.accumulate = accumulate}, 3, 5e-5);
}

TEST_CASE("matmul kernel: the product of a row and a column is their dot product") {
  Tensor a = Tensor::of({1, 3}, {1, 2, 3}), b = Tensor::of({3, 1}, {4, 5, 6}), c({1, 1});
  for (const MatmulPath path : {MatmulPath::simd, MatmulPath::reference}) {
    kernels::matmul(path, {a.data(), b.data(), c.data(), 1, 1, 1, 3, 3, 3, 1, 3, 1, 1, false});
    CHECK(c.item() == 32.0F);
    kernels::matmul(path, {a.data(), b.data(), c.data(), 1, 1, 1, 3, 3, 3, 1, 3, 1, 1, true});
    CHECK(c.item() == 64.0F);
  }
}

TEST_CASE("matmul kernel: depth 0 gives zeros or the bias, or leaves C when accumulating") {
  Tensor a({2, 0}), b({0, 3});
  for (const MatmulPath path : {MatmulPath::simd, MatmulPath::reference}) {
    Tensor c = Tensor::full({2, 3}, 5.0F);
    kernels::matmul(path, {a.data(), b.data(), c.data(), 1, 2, 3, 0, 0, 0, 1, 0, 3, 1, true});
    for (const float x : c.values()) CHECK(x == 5.0F);
    kernels::matmul(path, {a.data(), b.data(), c.data(), 1, 2, 3, 0, 0, 0, 1, 0, 3, 1, false});
    for (const float x : c.values()) CHECK(x == 0.0F);
    const float bias[] = {1, 2, 3};
    kernels::matmul(path, {a.data(), b.data(), c.data(), 1, 2, 3, 0, 0, 0, 1, 0, 3, 1, false, bias});
    for (std::size_t i = 0; i < 6; ++i) CHECK(c.values()[i] == bias[i % 3]);
  }
}

TEST_CASE("matmul kernel: no rows, no columns and no batch write nothing") {
  Tensor a = Tensor::zeros({4, 4}), b = Tensor::zeros({4, 4});
  for (const MatmulPath path : {MatmulPath::simd, MatmulPath::reference})
    for (const Sizes& s : {Sizes{0, 2, 2, 2}, Sizes{1, 0, 2, 2}, Sizes{1, 2, 0, 2}}) {
      Tensor c = Tensor::full({4}, 5.0F);
      kernels::matmul(path, {a.data(), b.data(), c.data(), s.batch, s.m, s.n, s.k, 4, 2, 1, 4, 2, 1, false});
      for (const float x : c.values()) CHECK(x == 5.0F);
    }
}

TEST_CASE("matmul kernel: NaN and infinity in an operand reach the cells that read them, and no others") {
  Tensor a = Tensor::of({2, 2}, {1, 2, 3, INFINITY}), b = Tensor::of({2, 2}, {1, 1, 1, 1}), c({2, 2});
  for (const MatmulPath path : {MatmulPath::simd, MatmulPath::reference}) {
    kernels::matmul(path, {a.data(), b.data(), c.data(), 1, 2, 2, 2, 4, 2, 1, 4, 2, 1, false});
    CHECK(c.values()[0] == 3.0F);
    CHECK(c.values()[1] == 3.0F);
    CHECK(c.values()[2] == INFINITY);
    CHECK(c.values()[3] == INFINITY);
  }
}

TEST_CASE("matmul kernel: counts batch × m × n × k multiply-adds, on either path") {
  Rng rng(1);
  Product product({3, 4, 5, 6}, {}, 0, rng);
  const std::size_t before = kernels::multiply_adds();
  product.run();
  CHECK(kernels::multiply_adds() - before == 2 * 3 * 4 * 5 * 6);
}
