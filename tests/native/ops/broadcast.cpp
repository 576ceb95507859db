// How operands of different shapes are read row by row: what addition and products of cells are made of.
#include <doctest/doctest.h>

#include <vector>

#include "ops/arithmetic.hpp"
#include "ops/detail.hpp"
#include "support/random.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// a + b cell by cell, from the broadcasting rule itself.
Tensor plain_sum(const Tensor& a, const Tensor& b, const Shape& shape) {
  Tensor out(shape);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Cell cell = cell_at(shape, i);
    out.data()[i] = a.at(detail::broadcast_cell(cell, a.shape())) + b.at(detail::broadcast_cell(cell, b.shape()));
  }
  return out;
}

const std::vector<std::pair<Shape, Shape>> kShapes = {
    {{3, 5}, {3, 5}},
    {{2, 3, 5}, {5}},
    {{2, 3, 5}, {3, 1}},
    {{2, 3, 5}, {2, 1, 5}},
    {{2, 1, 3, 7}, {2, 4, 1, 7}},
    {{2, 3, 1}, {1, 1, 9}},
    {{4, 1, 1}, {1, 3, 1}},
    {{}, {2, 3}},
    {{1, 1, 4}, {4}},
    {{2, 1, 3, 1, 5}, {4, 1, 6, 1}},
    {{2, 1, 2, 1, 2, 1}, {1, 3, 1, 3, 1, 3}},
    {{1}, {1}},
    {{6, 17}, {6, 1}},
    {{0, 3}, {3}},
    {{3, 0}, {1}},
};

}  // namespace

TEST_CASE("broadcasting: a sum of any two shapes that fit is that of the cells which the rule pairs, in either order") {
  for (const auto& [left, right] : kShapes)
    for (const bool swapped : {false, true}) {
      const Shape &a = swapped ? right : left, &b = swapped ? left : right;
      INFO(a.str(), " + ", b.str());
      Graph graph({});
      const Tensor x = random(a, 1), y = random(b, 2);
      const Tensor got = add(graph.constant(x), graph.constant(y)).value(),
                   want = plain_sum(x, y, broadcast("add", a, b));
      REQUIRE(got.shape() == want.shape());
      for (std::size_t i = 0; i < got.size(); ++i) CHECK(got.values()[i] == want.values()[i]);
    }
}

TEST_CASE("broadcasting: a gradient is summed over the cells that read a number, so ones count them") {
  for (const auto& [a, b] : kShapes) {
    const Shape whole = broadcast("sum_to", a, b);
    for (const Shape& shape : {a, b}) {
      INFO(whole.str(), " to ", shape.str());
      const Tensor sums = detail::sum_to(Tensor::full(whole, 1.0F), shape);
      REQUIRE(sums.shape() == shape);
      const auto readers = shape.elements() == 0 ? 0.0F : static_cast<float>(whole.elements() / shape.elements());
      for (const float sum : sums.values()) CHECK(sum == readers);
    }
  }
}
