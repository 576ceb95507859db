#include "kernels/attention.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "kernels/samples.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;
using kernels::AttentionGradients;
using kernels::AttentionSizes;
using kernels::MatmulPath;

namespace {

/// Operands at odd addresses, and where forward and backward write.
struct Run {
  AttentionSizes s;
  Misaligned q, k, v, mask, dout, weights, out, dq, dk, dv;

  Run(const AttentionSizes& sizes, std::size_t shift, Rng& rng)
      : s(sizes),
        q(s.batch * s.queries * s.heads * s.size, shift, rng),
        k(s.batch * s.keys * s.heads * s.size, (shift + 1) % 4, rng),
        v(s.batch * s.keys * s.heads * s.value_size, (shift + 2) % 4, rng),
        mask(s.batch * s.heads * s.queries * s.keys, (shift + 3) % 4, rng),
        dout(s.batch * s.queries * s.heads * s.value_size, shift, rng),
        weights(s.batch * s.heads * s.queries * s.keys, (shift + 1) % 4),
        out(s.batch * s.queries * s.heads * s.value_size, (shift + 2) % 4),
        dq(s.batch * s.queries * s.heads * s.size, shift, rng),
        dk(s.batch * s.keys * s.heads * s.size, (shift + 1) % 4, rng),
        dv(s.batch * s.keys * s.heads * s.value_size, (shift + 3) % 4, rng) {}

  void go(MatmulPath path, bool dropped) {
    const float* m = dropped ? mask.data() : nullptr;
    kernels::attention(path, s, q.data(), k.data(), v.data(), m, weights.data(), out.data());
    kernels::attention_backward(
        path, s, {q.data(), k.data(), v.data(), m, weights.data(), dout.data(), dq.data(), dk.data(), dv.data()});
  }
  bool intact() const { return weights.intact() && out.intact() && dq.intact() && dk.intact() && dv.intact(); }
};

void check(const AttentionSizes& s, std::size_t shift, bool dropped) {
  Rng rng(s.queries * 1009 + s.keys * 31 + s.size);
  Run fast(s, shift, rng), plain(fast);
  fast.go(MatmulPath::simd, dropped);
  plain.go(MatmulPath::reference, dropped);
  INFO("batch ", s.batch, ", heads ", s.heads, ", queries ", s.queries, ", keys ", s.keys, ", size ", s.size,
       ", value size ", s.value_size, ", shift ", shift, ", dropout ", dropped);
  for (const auto part : {&Run::weights, &Run::out, &Run::dq, &Run::dk, &Run::dv}) {
    const double error = largest_error((fast.*part).span(), (plain.*part).span());
    CHECK(error <= 1e-5);
    measured("kernel attention, simd against reference", error, "");
  }
  CHECK(fast.intact());
}

/// How many keys each row sees: 0, 1, … and all.
std::vector<std::size_t> visible_of(const AttentionSizes& s) {
  std::vector<std::size_t> out;
  for (std::size_t row = 0; row < s.batch * s.queries; ++row) out.push_back((row * 5) % (s.keys + 1));
  return out;
}

}  // namespace

// Measured: 4.0e-6.
TEST_CASE("attention kernel: simd gives the reference's weights, values and gradients for odd sizes, with any mask") {
  for (const std::size_t queries : {1U, 3U, 4U, 10U, 17U})
    for (const std::size_t keys : {1U, 2U, 7U, 8U, 10U, 19U, 40U})
      for (const auto& [size, value_size] :
           {std::pair<std::size_t, std::size_t>{1, 1}, {3, 5}, {8, 8}, {16, 4}, {9, 33}}) {
        AttentionSizes s{2, 3, queries, keys, size, value_size};
        check(s, queries % 4, false);
        const std::vector<std::size_t> visible = visible_of(s);
        s.visible = visible.data();
        check(s, keys % 4, true);
        s.scores_hidden = true;
        s.hidden_score = -3.0F;  // near the others, so that a hidden key has a weight that shows
        check(s, size % 4, true);
      }
}

TEST_CASE("attention kernel: any alignment will do") {
  for (const std::size_t shift : kShifts) check({1, 2, 6, 8, 8, 8}, shift, true);
}

TEST_CASE("attention kernel: counts a multiply-add for each number of each key that a query sees") {
  Rng rng(1);
  const std::vector<std::size_t> visible = {1, 2, 0, 3};
  AttentionSizes s{2, 3, 2, 4, 5, 7};
  s.visible = visible.data();
  for (const MatmulPath path : {MatmulPath::simd, MatmulPath::reference}) {
    Run run(s, 0, rng);
    const std::size_t before = kernels::multiply_adds();
    run.go(path, false);
    CHECK(kernels::multiply_adds() - before == 3 * (5 + 7) * (1 + 2 + 0 + 3) * 3);
  }
}
