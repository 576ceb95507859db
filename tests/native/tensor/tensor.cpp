#include "tensor/tensor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "tensor/array.hpp"

using namespace attn;

namespace {

Tensor counted(const Shape& shape) {
  Tensor out(shape);
  std::iota(out.mutable_values().begin(), out.mutable_values().end(), 0.0F);
  return out;
}

}  // namespace

TEST_CASE("tensor: a default-made one stands for none") {
  const Tensor none;
  CHECK_FALSE(none);
  CHECK(none.size() == 0);
  CHECK(none.values().empty());
  CHECK_FALSE(none.copy());
}

TEST_CASE("tensor: a scalar has one value and no axis, an axis of size 0 has no value") {
  CHECK(Tensor::scalar(2.5F).item() == 2.5F);
  CHECK(Tensor::scalar(2.5F).rank() == 0);
  const Tensor empty = Tensor::zeros({3, 0});
  CHECK(static_cast<bool>(empty));
  CHECK(empty.size() == 0);
}

TEST_CASE("tensor: values are row-major, a cell has one index an axis") {
  const Tensor x = counted({2, 3, 4});
  CHECK(x.at(Cell{1, 2, 3}) == 23.0F);
  CHECK(x.at(Cell{1, 0, 2}) == 14.0F);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x.offset(cell_at(x.shape(), i)) == i);
  CHECK(cell_at({}, 0).empty());
  CHECK(Tensor::scalar(1.0F).at(Cell{}) == 1.0F);
}

TEST_CASE("tensor: refuses a cell outside, or with too few or too many indices") {
  const Tensor x = counted({2, 3});
  CHECK_THROWS_WITH_AS(x.at(Cell{2, 0}), "cell [2, 0] lies outside a tensor of shape [2, 3]", ShapeError);
  CHECK_THROWS_AS(x.at(Cell{0, 3}), ShapeError);
  CHECK_THROWS_AS(x.at(Cell{0}), ShapeError);
  CHECK_THROWS_AS(x.at(Cell{0, 0, 0}), ShapeError);
  CHECK_THROWS_AS(x.at(Cell(9, 0)), ShapeError);
  CHECK_THROWS_AS(x.at(Cell{}), ShapeError);
}

TEST_CASE("tensor: refuses a number of values that is not that of its shape") {
  CHECK_THROWS_WITH_AS(Tensor::of({2, 3}, {1, 2, 3}), "shape [2, 3] holds 6 values, not 3", ShapeError);
  CHECK(Tensor::of({2, 2}, {1, 2, 3, 4}).at(Cell{1, 0}) == 3.0F);
}

TEST_CASE("tensor: reshaped shares the values, and refuses another number of them") {
  const Tensor x = counted({2, 6});
  const Tensor y = x.reshaped({3, 4});
  CHECK(y.data() == x.data());
  CHECK(y.at(Cell{2, 3}) == 11.0F);
  CHECK_FALSE(x.unique());
  CHECK_THROWS_WITH_AS(x.reshaped({5}), "reshape: [2, 6] has 12 elements, [5] has 5", ShapeError);
}

TEST_CASE("tensor: a copy of the handle shares the values, copy() does not") {
  Tensor x = counted({4});
  const Tensor handle = x, copy = x.copy();
  x.mutable_values()[0] = 9.0F;
  CHECK(handle.values()[0] == 9.0F);
  CHECK(copy.values()[0] == 0.0F);
  CHECK(copy.unique());
}

TEST_CASE("tensor: the xtensor array sees the same values under the same shape") {
  Tensor x = counted({2, 3});
  const auto view = array(std::as_const(x));
  CHECK(view(1, 2) == 5.0F);
  array(x)(0, 1) = 7.0F;
  CHECK(x.at(Cell{0, 1}) == 7.0F);
}

TEST_CASE("errors: keep their type and message for whoever shows them") {
  CHECK(std::string(ShapeError("a").type()) == "ShapeError");
  CHECK(std::string(ConfigError("a").type()) == "ConfigError");
  CHECK(std::string(DataError("a").type()) == "DataError");
  CHECK(std::string(Error("a").type()) == "EngineError");
  CHECK(std::string(ShapeError("what was wrong").what()) == "what was wrong");
}

TEST_CASE("tensor: one too large is refused before any memory is asked for") {
  const std::size_t bytes = pool_bytes();
  CHECK_THROWS_AS(Tensor({1 << 20, 1 << 20}), ShapeError);
  CHECK_THROWS_AS(
      Tensor::zeros({std::size_t{1} << (sizeof(std::size_t) * 4), std::size_t{1} << (sizeof(std::size_t) * 4)}),
      ShapeError);
  CHECK(pool_bytes() == bytes);
}
