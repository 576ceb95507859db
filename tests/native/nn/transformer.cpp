#include "nn/transformer.hpp"

#include <doctest/doctest.h>

#include "support/compare.hpp"
#include "support/random.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("position-wise network: equal inputs give equal rows, of the size asked for") {
  Rng rng(1);
  nn::PositionWiseFFN ffn(4, 4, 8, rng);
  Graph graph({});
  const Tensor y = ffn(graph.constant(Tensor::full({2, 3, 4}, 1.0F))).value();
  REQUIRE(y.shape() == Shape{2, 3, 8});
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y.values()[i] == y.values()[i % 8]);
}

TEST_CASE("encoder block: the shape is kept, padding leaves the words alone, features that differ are refused") {
  Rng rng(1);
  nn::EncoderBlock block({.size = 24, .ffn_hidden = 48, .heads = 8, .dropout = 0.5F}, rng);
  Graph graph({.record = Record::nothing});
  const Var lengths = graph.constant(Tensor::of({2}, {3, 2}));
  Tensor x = random({2, 100, 24}, 1);
  const Tensor before = block(graph.constant(x), lengths).value();
  CHECK(before.shape() == x.shape());
  x = x.copy();
  for (std::size_t i = 3 * 24; i < 100 * 24; ++i) x.data()[i] = 9.0F;  // the first example's padding
  const Tensor after = block(graph.constant(x), lengths).value();
  for (std::size_t i = 0; i < 3 * 24; ++i) CHECK(after.values()[i] == before.values()[i]);
  CHECK_THROWS_AS(block(graph.constant(random({2, 5, 16}, 2)), lengths), ShapeError);
}

TEST_CASE("decoder block: word by word the cache grows by one row, and the source is projected once (B27)") {
  Rng rng(1);
  nn::DecoderBlock block({.size = 8, .ffn_hidden = 16, .heads = 2}, rng);
  Graph graph({.record = Record::nothing});
  const Var lengths = graph.constant(Tensor::of({1}, {4}));
  const Var source = graph.constant(random({1, 6, 8}, 1));
  std::size_t before = kernels::multiply_adds();
  nn::DecoderBlock::Cache cache = block.start(source);
  CHECK(kernels::multiply_adds() - before == 2U * 6 * 8 * 8);
  for (std::size_t t = 0; t < 5; ++t) {
    before = kernels::multiply_adds();
    block(graph.constant(random({1, 1, 8}, 2 + t)), cache, {}, lengths, t);
    CHECK(cache.self.keys.size(1) == t + 1);
    // W_q, W_k, W_v, W_o, W_q, W_o; the FFN; scores and contexts of t + 1 own words and of the source's
    const std::size_t attended = kernels::multiply_adds() - before - 6 * 8 * 8 - 2 * 8 * 16;
    CHECK(attended <= 2 * (t + 1) * 8 + 2 * 6 * 8);
    CHECK(attended >= 2 * (t + 1) * 8 + 2 * 4 * 8);
  }
}

TEST_CASE("blocks: have the chapter's number of weights: 8,416 of an encoder's, 12,576 of a decoder's") {
  Rng rng(6);
  const nn::BlockStyle chapter{.size = 32, .ffn_hidden = 64, .heads = 4};
  const auto count = [](auto&& block) {
    std::size_t out = 0;
    block.visit("block", [&out](const std::string&, Parameter& p) { out += p.value.size(); });
    return out;
  };
  CHECK(count(nn::EncoderBlock(chapter, rng)) == 8416);
  CHECK(count(nn::DecoderBlock(chapter, rng)) == 12576);
}
