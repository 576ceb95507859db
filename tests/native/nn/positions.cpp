#include "nn/positions.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/compare.hpp"
#include "support/random.hpp"

using namespace attn;
using namespace attn::test;
using nn::PositionalEncoding;
using nn::PositionKind;
using nn::RelativeKind;

TEST_CASE("sinusoids: position 1 of 32 columns begins with the published numbers") {
  const Tensor p = nn::sinusoids(0, 60, 32);
  const float row[] = {0.841471F, 0.540302F, 0.533168F, 0.846009F};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(p.at(Cell{1, i}) - row[i]) < 1e-6F);
  for (std::size_t i = 0; i < 32; ++i) CHECK(p.at(Cell{0, i}) == static_cast<float>(i % 2));
}

TEST_CASE("sinusoids: an odd number of columns ends with a sine (B10)") {
  const Tensor odd = nn::sinusoids(0, 5, 33);
  CHECK(odd.shape() == Shape{5, 33});
  CHECK(odd.at(Cell{3, 32}) == doctest::Approx(std::sin(3.0 / std::pow(10000.0, 32.0 / 33.0))));
  CHECK(nn::sinusoids(0, 2, 1).at(Cell{1, 0}) == doctest::Approx(std::sin(1.0)));
}

TEST_CASE("positions: a word's vector is that of its own position, also beyond 1,000 (B1, B11)") {
  PositionalEncoding encoding;
  Graph graph({});
  const Var nothing = graph.constant(Tensor::zeros({2, 3, 6}));
  for (const std::size_t first : {0U, 1U, 7U, 998U, 5000U}) {
    const Tensor got = encoding(nothing, first).value();
    const Tensor want = nn::sinusoids(first, 3, 6);
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t i = 0; i < 18; ++i) CHECK(got.values()[b * 18 + i] == want.values()[i]);
  }
}

TEST_CASE("positions: joined behind the words they double the features, added they do not") {
  PositionalEncoding added, joined;
  joined.joined = true;
  Graph graph({});
  const Tensor x = random({2, 3, 6}, 1);
  CHECK(added(graph.constant(x), 0).shape() == Shape{2, 3, 6});
  const Tensor both = joined(graph.constant(x), 2).value();
  REQUIRE(both.shape() == Shape{2, 3, 12});
  CHECK(both.at(Cell{1, 2, 5}) == x.at(Cell{1, 2, 5}));
  CHECK(both.at(Cell{1, 2, 6}) == nn::sinusoids(4, 1, 6).at(Cell{0, 0}));
}

TEST_CASE("positions: learned ones are parameters, and a position that was not learned is refused by its number") {
  Rng rng(1);
  PositionalEncoding learned(PositionKind::learned, false, 10, 4, 0.0F, rng);
  std::string path;
  learned.visit("pos_encoding", [&path](const std::string& p, Parameter&) { path = p; });
  CHECK(path == "pos_encoding.weight");
  Graph graph({});
  const Var x = graph.constant(Tensor::zeros({1, 2, 4}));
  CHECK(largest_error(learned(x, 8).value().reshaped({8}),
                      Tensor::of({8}, learned.weight.value.values().subspan(32, 8))) == 0.0);
  CHECK_THROWS_WITH_AS(learned(x, 9), doctest::Contains("10 were learned, position 10"), ShapeError);
}

TEST_CASE("relative positions: for equal words the score depends on the distance alone, clipped at the reach") {
  for (const RelativeKind kind : {RelativeKind::clipped, RelativeKind::bias}) {
    Rng rng(3);
    nn::RelativePositions relative(kind, 2, 4, 2, rng);
    Graph graph({});
    Tensor same({1, 2, 6, 4});  // the same query everywhere
    for (std::size_t i = 0; i < same.size(); ++i) same.data()[i] = static_cast<float>(i % 4) - 1.0F;
    const Tensor scores = relative.scores(graph.constant(same), 0, 6).value().reshaped({2, 6, 6});
    const auto at = [&](std::size_t h, std::size_t i, std::size_t j) { return scores.at(Cell{h, i, j}); };
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t i = 0; i + 1 < 6; ++i)
        for (std::size_t j = 0; j + 1 < 6; ++j) CHECK(at(h, i, j) == at(h, i + 1, j + 1));
      CHECK(at(h, 0, 2) == at(h, 0, 5));  // beyond the reach all distances are one
      CHECK(at(h, 0, 1) != at(h, 0, 2));
      CHECK(at(h, 0, 1) != at(h, 1, 0));  // before is not behind
    }
    const Tensor later = relative.scores(graph.constant(same), 3, 6).value().reshaped({2, 6, 6});
    CHECK(later.at(Cell{1, 0, 4}) == at(1, 3, 4));  // a query at position 3
  }
}
