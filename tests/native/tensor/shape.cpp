#include "tensor/shape.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tensor/error.hpp"

using namespace attn;

TEST_CASE("shape: elements is the product of the sizes, 1 without axes, 0 where a size is 0") {
  CHECK(Shape{2, 3, 4}.elements() == 24);
  CHECK(Shape{}.elements() == 1);
  CHECK(Shape{2, 0, 4}.elements() == 0);
}

TEST_CASE("shape: a product that no machine here could hold, or that would overflow, is refused and not computed") {
  const std::size_t huge = std::size_t{1} << (sizeof(std::size_t) * 4);  // huge² overflows to 0
  CHECK((Shape{1 << 14, 1 << 14}.elements() == Shape::kMaxElements));
  CHECK_THROWS_AS((Shape{(1 << 14) + 1, 1 << 14}.elements()), ShapeError);
  CHECK_THROWS_AS((Shape{huge, huge}.elements()), ShapeError);
  CHECK_THROWS_AS((Shape{huge, huge, 3}.elements()), ShapeError);
  CHECK((Shape{huge, 0, huge}.elements() == 0));
  CHECK_THROWS_WITH_AS((Shape{1 << 20, 1 << 20}.elements()),
                       "a tensor of shape [1048576, 1048576] is too large: it may have 268435456 numbers at the most",
                       ShapeError);
}

TEST_CASE("shape: a negative axis counts from the last") {
  const Shape shape{2, 3, 4};
  CHECK(shape[0] == 2);
  CHECK(shape[-1] == 4);
  CHECK(shape[-3] == 2);
  CHECK(shape.back() == 4);
}

TEST_CASE("shape: an axis can be put in and taken out at every place") {
  const Shape shape{2, 3};
  CHECK(shape.inserted(0, 9) == Shape{9, 2, 3});
  CHECK(shape.inserted(1, 9) == Shape{2, 9, 3});
  CHECK(shape.inserted(2, 9) == Shape{2, 3, 9});
  CHECK(Shape{}.inserted(0, 9) == Shape{9});
  CHECK(Shape{9, 2, 3}.erased(0) == shape);
  CHECK(Shape{2, 9, 3}.erased(1) == shape);
  CHECK(Shape{2, 3, 9}.erased(2) == shape);
}

TEST_CASE("shape: six axes are the most") {
  const Shape six{1, 2, 3, 4, 5, 6};
  CHECK(six.rank() == 6);
  CHECK_THROWS_AS(six.inserted(0, 1), ShapeError);
  CHECK_THROWS_AS((Shape{1, 2, 3, 4, 5, 6, 7}), ShapeError);
  CHECK_THROWS_AS(Shape(std::vector<std::size_t>(9, 1)), ShapeError);
}

TEST_CASE("shape: equality looks at rank and sizes, not at what lay there before") {
  CHECK(Shape{2, 3} == Shape{2, 3, 4}.erased(2));
  CHECK(Shape{2, 3} != Shape{3, 2});
  CHECK(Shape{2} != Shape{2, 1});
  CHECK(Shape{} != Shape{1});
}

TEST_CASE("shape: is written as people write it") {
  CHECK(Shape{2, 3}.str() == "[2, 3]");
  CHECK(Shape{7}.str() == "[7]");
  CHECK(Shape{}.str() == "[]");
}

TEST_CASE("broadcast: sizes are aligned at the last axis, and 1 gives way") {
  CHECK(broadcast("add", {2, 3}, {3}) == Shape{2, 3});
  CHECK(broadcast("add", {3}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast("add", {2, 1, 4}, {3, 1}) == Shape{2, 3, 4});
  CHECK(broadcast("add", {}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast("add", {1, 1}, {5}) == Shape{1, 5});
  CHECK(broadcast("add", {0, 3}, {1, 3}) == Shape{0, 3});
}

TEST_CASE("broadcast: refuses [2, 3] with [2], naming the op and both shapes") {
  CHECK_THROWS_WITH_AS(broadcast("mul", {2, 3}, {2}), "mul: shapes [2, 3] and [2] do not broadcast (sizes 3 and 2)",
                       ShapeError);
  CHECK_THROWS_AS(broadcast("mul", {2, 3}, {0, 3}), ShapeError);
}
