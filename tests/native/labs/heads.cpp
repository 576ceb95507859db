#include <doctest/doctest.h>

#include <cmath>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("heads: one looks at the word before, one at the first, and the output holds both answers") {
  const LabRun run("heads", {{"sharpness", 20.0}});
  for (std::size_t i = 1; i < 5; ++i) {
    CHECK(run.at("previous.weights", {i, i - 1}) > 0.999);
    CHECK(run.at("first.weights", {i, 0}) > 0.999);
    CHECK(std::abs(run.at("output", {i, 0}) - static_cast<double>(i)) < 1e-5);  // words are numbered from 1
    CHECK(std::abs(run.at("output", {i, 1}) - 1.0) < 1e-5);
  }
}

TEST_CASE("heads: a single head that is to look at both can only mix them") {
  const LabRun run("heads", {{"sharpness", 20.0}, {"words", 6}});
  double missed = 0.0;
  for (std::size_t i = 2; i < 6; ++i) {
    CHECK(run.at("single.weights", {i, 0}) == doctest::Approx(0.5).epsilon(1e-4));
    CHECK(run.at("single.weights", {i, i - 1}) == doctest::Approx(0.5).epsilon(1e-4));
    CHECK(run.at("single.output", {i, 0}) == doctest::Approx((static_cast<double>(i) + 1.0) / 2.0).epsilon(1e-4));
    missed += std::pow((static_cast<double>(i) - 1.0) / 2.0, 2.0);
  }
  CHECK(run.at("missed.previous") == doctest::Approx(std::sqrt(missed)).epsilon(1e-3));
  CHECK(run.at("missed.first") == doctest::Approx(std::sqrt(missed)).epsilon(1e-3));
}

TEST_CASE("split-heads: row b·heads + h is head h of example b, and merging gives everything back") {
  const LabRun run("split-heads");
  CHECK(run["split"].shape() == Shape{10, 4, 20});
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t h = 0; h < 5; ++h)
      for (std::size_t t = 0; t < 4; ++t)
        for (std::size_t f = 0; f < 20; ++f)
          REQUIRE(run.at("split", {b * 5 + h, t, f}) == run.at("input", {b, t, h * 20 + f}));
  CHECK(run.at("difference") == 0.0);
  CHECK(largest_error(run["merged"], run["input"]) == 0.0);
  CHECK(run.result.labels.back().words[5] == "2·1");
}

TEST_CASE("split-heads: lengths are repeated head by head; tiled, they mask other examples' rows (B19)") {
  const LabRun run("split-heads");
  CHECK(run.row("repeated.lengths") == std::vector<double>{3, 3, 3, 3, 3, 2, 2, 2, 2, 2});
  CHECK(run.row("tiled.lengths") == std::vector<double>{3, 2, 3, 2, 3, 2, 3, 2, 3, 2});
  CHECK(run.row("tiled.wrong") == std::vector<double>{0, 1, 0, 1, 0, 0, 1, 0, 1, 0});
  CHECK(run.at("repeated.weights", {1, 0, 2}) == doctest::Approx(1.0 / 3));
  CHECK(run.at("tiled.weights", {1, 0, 2}) == 0.0);  // head 1 of example 0, whose third word is a word
  CHECK(run.at("repeated.weights", {5, 0, 2}) == 0.0);
  CHECK(run.at("tiled.weights", {6, 0, 2}) > 0.3);  // padding is seen
  CHECK(run.at("tiled.errors") == 4.0);
}

TEST_CASE("split-heads: lengths of one's own choice are compared with the right ones, row by row") {
  const LabRun none("split-heads"),
      right("split-heads", Json::object(), {{"chosen.lengths", {3, 3, 3, 3, 3, 2, 2, 2, 2, 2}}}),
      almost("split-heads", Json::object(), {{"chosen.lengths", {3, 3, 3, 3, 2, 2, 2, 2, 2, 2}}});
  CHECK(none.at("chosen.errors") == 10.0);
  CHECK(none.at("chosen.weights", {0, 0, 3}) == 0.25);
  CHECK(right.at("chosen.errors") == 0.0);
  CHECK(largest_error(right["chosen.weights"], right["repeated.weights"]) == 0.0);
  CHECK(almost.at("chosen.errors") == 1.0);
  CHECK(almost.at("chosen.wrong", {4}) == 1.0);
}

TEST_CASE("split-heads: the way back undoes the way there, move by move") {
  const LabRun run("split-heads");
  CHECK(largest_error(run["apart"], run["moved"]) == 0.0);
  CHECK(largest_error(run["returned"], run["cut"]) == 0.0);
}

TEST_CASE("split-heads: heads that do not divide the features are refused (B9)") {
  CHECK(refusal_of("split-heads", {{"heads", 3}}) ==
        "split-heads: 100 features cannot be shared out evenly among 3 heads");
}
