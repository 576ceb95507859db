#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "labs/lab_run.hpp"
#include "nn/positions.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

std::size_t count_of(int n) { return static_cast<std::size_t>(n); }

}  // namespace

TEST_CASE("positions: the table is that of the encoding, of any size and at any position (B10, B11)") {
  const LabRun run("positions");
  const double want[] = {0.841471, 0.540302, 0.533168, 0.846009};
  for (std::size_t f = 0; f < 4; ++f) CHECK(std::abs(run.at("table", {1, f}) - want[f]) < 1e-6);
  CHECK(run.at("frequency", {3}) == doctest::Approx(0.177828).epsilon(1e-5));
  CHECK(run.at("frequency", {4}) == doctest::Approx(0.1).epsilon(1e-6));
  CHECK(run.at("period", {3}) == doctest::Approx(35.33).epsilon(1e-3));
  CHECK(run.at("period", {4}) == doctest::Approx(62.83).epsilon(1e-3));
  for (const auto& [size, first] : {std::pair{32, 0}, {33, 0}, {7, 0}, {1, 0}, {33, 1500}}) {
    const LabRun other("positions", {{"size", size}, {"first", first}, {"pair", 0}});
    const Tensor table = nn::sinusoids(static_cast<std::size_t>(first), 60, static_cast<std::size_t>(size));
    // An angle of 1500 is known to 1e-4 in float32; measured 6.1e-5.
    check_close("table", other["table"], table, first == 0 ? 5e-6 : 2e-4);
  }
}

TEST_CASE("positions: a step of any offset is one rotation, the same at every position") {
  for (const int pair : {0, 3, 8, 15})
    for (const int offset : {1, 5, -7, 30}) {
      const LabRun run("positions", {{"pair", pair}, {"offset", offset}});
      const double angle = offset * std::pow(10000.0, -2.0 * pair / 32.0);
      CHECK(run.at("rotation.matrix", {0, 0}) == doctest::Approx(std::cos(angle)).epsilon(1e-4));
      CHECK(run.at("rotation.matrix", {0, 1}) == doctest::Approx(std::sin(angle)).epsilon(1e-4));
      CHECK(run.at("rotation.matrix", {1, 0}) == -run.at("rotation.matrix", {0, 1}));
      CHECK(run.at("rotation.largest") < 1e-5);
      for (const double error : run.row("rotation.error")) CHECK(error <= run.at("rotation.largest"));
      if (offset > 0)
        for (std::size_t i = 0; i + count_of(offset) < 60; i += 7) {
          const std::size_t column = 2 * static_cast<std::size_t>(pair);
          CHECK(std::abs(run.at("rotation.there", {i, 0}) - run.at("table", {i + count_of(offset), column})) < 1e-5);
        }
    }
  CHECK(refusal_of("positions", {{"pair", 16}}) == "positions: a table of 32 columns has the pairs 0 to 15");
}

TEST_CASE(
    "positions: beside the sinusoids the binary numbers, the lowest bit fastest; products depend on the distance "
    "alone") {
  const LabRun run("positions", {{"positions", 8}});
  for (std::size_t i = 0; i < 8; ++i) {
    double value = 0.0;
    for (const double bit : run.row("binary", {i})) value = 2 * value + bit;
    CHECK(value == static_cast<double>(i));
  }
  for (std::size_t i = 1; i < 7; ++i) {
    CHECK(run.at("product", {i, i + 1}) == doctest::Approx(run.at("product", {0, 1})).epsilon(1e-5));
    CHECK(run.at("product", {i, i}) == doctest::Approx(16.0).epsilon(1e-5));
  }
}

TEST_CASE("position-join: added, shapes stay; joined, the next layer has twice the weights") {
  const LabRun run("position-join"), learned("position-join", {{"kind", "learned"}, {"words", 7}});
  CHECK(run["added"].shape() == Shape{6, 16});
  CHECK(run["joined"].shape() == Shape{6, 32});
  CHECK(run["projected.added"].shape() == run["projected.joined"].shape());
  CHECK(run.at("parameters.added") == 16 * 16);
  CHECK(run.at("parameters.joined") == 16 * 32);
  CHECK(run.at("parameters.positions") == 0);
  CHECK(learned.at("parameters.positions") == 7 * 16);
  CHECK(run.at("added", {2, 3}) == doctest::Approx(run.at("words", {2, 3}) + run.at("positions", {2, 3})));
  CHECK(run.row("positions", {1}) != learned.row("positions", {1}));
}

TEST_CASE("relative-positions: for one word said again and again scores depend on the distance alone, both ways") {
  const LabRun run("relative-positions");
  CHECK(run.at("clipped.shifted") < 1e-5);
  CHECK(run.at("bias.shifted") < 1e-5);
  CHECK(run.at("absolute.shifted") > 0.1);
  CHECK(run.at("offset", {0, 7}) == 3.0);  // clipped
  CHECK(run.at("offset", {7, 6}) == -1.0);
  CHECK(run.at("bias.scores", {2, 3}) - run.at("bias.scores", {2, 2}) ==
        doctest::Approx(run.at("bias.table", {4}) - run.at("bias.table", {3})).epsilon(1e-4));
  double by_vector = 0.0, plain = 0.0;
  for (std::size_t f = 0; f < 8; ++f) {
    by_vector += run.at("word", {f}) * run.at("clipped.table", {1, f});
    plain += run.at("word", {f}) * run.at("word", {f});
  }
  CHECK(run.at("clipped.scores", {5, 3}) == doctest::Approx((plain + by_vector) / std::sqrt(8.0)).epsilon(1e-4));
}
