#include "tensor/rng.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace attn;

namespace {

struct Spread {
  double mean, variance, low, high;
};

Spread spread(const Tensor& x) {
  const auto values = x.values();
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const float v : values) squares += (v - mean) * (v - mean);
  const auto [low, high] = std::ranges::minmax(values);
  return {mean, squares / n, low, high};
}

/// Σ (count - expected)² / expected: about the number of bins for a fair draw.
double chi_square(const std::vector<int>& counts) {
  const double expected = std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
  double out = 0.0;
  for (const int count : counts) out += (count - expected) * (count - expected) / expected;
  return out;
}

std::vector<int> counts_of_below(std::uint32_t n, int draws) {
  Rng rng(3);
  std::vector<int> counts(n);
  for (int i = 0; i < draws; ++i) ++counts[rng.below(n)];
  return counts;
}

}  // namespace

// Computed by tests/parity/golden.py, which has the generator from the paper. Those of seed 42 are printed by the reference
// implementation's own check (pcg32_oneseq).
TEST_CASE("rng: the first outputs for seed 0 are the documented ones") {
  Rng rng(0);
  for (const std::uint32_t want :
       {0xe823a24eU, 0x7a7ecbd9U, 0x89fd6c06U, 0xae646aa8U, 0xcd3cf945U, 0x6204b303U, 0x198c8585U, 0x49fce611U})
    CHECK(rng.next() == want);
}

TEST_CASE("rng: the first outputs for seed 42 are those of the reference implementation") {
  Rng rng(42);
  for (const std::uint32_t want : {0xc2f57bd6U, 0x6b07c4a9U, 0x72b7b29bU, 0x44215383U, 0xf5af5eadU, 0x68beb632U})
    CHECK(rng.next() == want);
}

TEST_CASE("rng: uniform and normal numbers of seed 0 are the documented ones") {
  Rng rng(0);
  for (const double want : {0.9067937135696411, 0.4784972071647644, 0.5390231609344482, 0.6812196969985962})
    CHECK(rng.uniform() == want);
  Rng normal(0);
  for (const double want : {-2.15865153, 0.293434435, -0.52124306, -1.13009762, -1.33344616, 1.20747133})
    CHECK(normal.normal() == doctest::Approx(want).epsilon(1e-6));
}

TEST_CASE("rng: one seed gives one sequence, another seed another") {
  Rng a(7), b(7), c(8);
  const std::uint32_t first = a.next();
  CHECK(first == b.next());
  CHECK(first != c.next());
}

TEST_CASE("rng: uniform numbers have the mean, variance and bounds of their range") {
  Rng rng(1);
  Tensor x({100000});
  rng.fill_uniform(x, -2.0F, 4.0F);
  const Spread s = spread(x);
  CHECK(std::abs(s.mean - 1.0) < 0.02);      // 3.6 standard errors
  CHECK(std::abs(s.variance - 3.0) < 0.03);  // 36 / 12
  CHECK(s.low >= -2.0);
  CHECK(s.low < -1.99);
  CHECK(s.high < 4.0);
  CHECK(s.high > 3.99);
}

TEST_CASE(
    "rng: normal numbers have mean 0, the variance asked for, and the bell's shares within one and two deviations") {
  Rng rng(2);
  Tensor x({100000});
  rng.fill_normal(x, 3.0F);
  const Spread s = spread(x);
  CHECK(std::abs(s.mean) < 0.035);
  CHECK(std::abs(s.variance - 9.0) < 0.15);
  const auto share = [&](float bound) {
    return std::ranges::count_if(x.values(), [&](float v) { return std::abs(v) < bound; }) / 1e5;
  };
  CHECK(std::abs(share(3.0F) - 0.6827) < 0.006);
  CHECK(std::abs(share(6.0F) - 0.9545) < 0.003);
  CHECK(s.high < 18.0);  // Box and Muller with 24 bits ends at 5.77 deviations
}

TEST_CASE("rng: normal numbers have the bell's third and fourth moment, 0 and 3") {
  Rng rng(10);
  double cubes = 0.0, fourths = 0.0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    cubes += x * x * x;
    fourths += x * x * x * x;
  }
  CHECK(std::abs(cubes / kDraws) < 0.035);          // √(15 / n) = 0.0087 is a standard error
  CHECK(std::abs(fourths / kDraws - 3.0) < 0.088);  // √(96 / n) = 0.022
}

TEST_CASE("rng: uniform numbers fill a hundred bins evenly, and all 24 bits of them are used") {
  Rng rng(11);
  std::vector<int> counts(100);
  std::uint32_t ones = 0, zeros = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto bits = static_cast<std::uint32_t>(std::ldexp(static_cast<double>(rng.uniform()), 24));
    ++counts[bits / ((1U << 24U) / 100U + 1U)];
    ones |= bits;
    zeros |= ~bits;
  }
  CHECK(chi_square(counts) < 99.0 + 4.0 * std::sqrt(2.0 * 99.0));
  CHECK((ones & 0xFFFFFFU) == 0xFFFFFFU);
  CHECK((zeros & 0xFFFFFFU) == 0xFFFFFFU);
}

TEST_CASE(
    "rng: a number says nothing about the next: neighbours are uncorrelated, the two halves of a normal pair too") {
  constexpr int kDraws = 100000;
  const auto correlation = [](auto&& draw, int lag) {
    std::vector<double> x(kDraws);
    std::ranges::generate(x, draw);
    double products = 0.0;
    for (std::size_t i = static_cast<std::size_t>(lag); i < x.size(); ++i)
      products += x[i] * x[i - static_cast<std::size_t>(lag)];
    return products / (kDraws - lag);
  };
  Rng rng(12);
  for (const int lag : {1, 2, 7}) {
    const double uniform = correlation([&rng] { return std::sqrt(12.0) * (rng.uniform() - 0.5); }, lag);
    const double normal = correlation([&rng] { return static_cast<double>(rng.normal()); }, lag);
    INFO("lag ", lag, ": ", uniform, " and ", normal);
    CHECK(std::abs(uniform) < 0.0127);  // four standard errors, 1/√n
    CHECK(std::abs(normal) < 0.0127);
  }
}

TEST_CASE("rng: neighbouring seeds give sequences that have nothing to do with each other") {
  for (const std::uint64_t seed : {0U, 1U, 41U}) {
    Rng a(seed), b(seed + 1);
    double products = 0.0;
    for (int i = 0; i < 100000; ++i) products += 12.0 * (a.uniform() - 0.5) * (b.uniform() - 0.5);
    CHECK(std::abs(products / 1e5) < 0.0127);
  }
}

TEST_CASE("rng: below(n) is fair, for an n that divides 2^32 and for one that does not") {
  for (const std::uint32_t n : {8U, 7U, 100U}) {
    const double chi = chi_square(counts_of_below(n, 70000));
    INFO("n = ", n, ", chi-square ", chi);
    CHECK(chi < n + 4.0 * std::sqrt(2.0 * n));
  }
}

TEST_CASE("rng: below(n) does not favour small numbers where 2^32 mod n is large") {
  Rng rng(4);
  const std::uint32_t n = 3U << 30U;  // plain x % n would give the first third twice as often
  int low = 0;
  for (int i = 0; i < 30000; ++i) low += rng.below(n) < n / 3;
  CHECK(std::abs(low / 30000.0 - 1.0 / 3.0) < 0.012);
}

TEST_CASE("rng: below(1) is 0") {
  Rng rng(5);
  for (int i = 0; i < 100; ++i) CHECK(rng.below(1) == 0);
}

TEST_CASE("rng: shuffle keeps all items, and each place gets each item equally often") {
  Rng rng(6);
  std::vector<int> counts(25);
  for (int run = 0; run < 20000; ++run) {
    std::vector<int> items(5);
    std::iota(items.begin(), items.end(), 0);
    rng.shuffle(std::span(items));
    for (std::size_t place = 0; place < 5; ++place) ++counts[place * 5 + static_cast<std::size_t>(items[place])];
    std::ranges::sort(items);
    CHECK(items == std::vector{0, 1, 2, 3, 4});
  }
  CHECK(chi_square(counts) < 60.0);  // 16 degrees of freedom
}

TEST_CASE("rng: a restored state goes on as the saved one did, between the two halves of a normal pair too") {
  Rng rng(9);
  for (int i = 0; i < 3; ++i) rng.normal();  // one half of the second pair is still kept
  const Rng::State saved = rng.state();
  std::vector<float> first, second;
  const auto draw = [&rng](std::vector<float>& out) {
    for (int i = 0; i < 5; ++i)
      out.insert(out.end(), {rng.normal(), rng.uniform(), static_cast<float>(rng.below(1000))});
  };
  draw(first);
  rng.restore(saved);
  draw(second);
  CHECK(first == second);
  Rng other(1234);
  other.restore(saved);
  CHECK(other.normal() == first[0]);
}
