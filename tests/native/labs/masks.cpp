#include <doctest/doctest.h>

#include <cmath>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("masks: of 1 2 3 4 the first three are seen: .0900 .2447 .6652 and exactly 0") {
  const LabRun run("masks");
  const double want[] = {0.090031, 0.244728, 0.665241, 0.0};
  for (std::size_t key = 0; key < 4; ++key) CHECK(std::abs(run.at("one.weights", {key}) - want[key]) < 1e-6);
  CHECK(run.at("one.weights", {3}) == 0.0);
}

TEST_CASE("masks: a row that sees nothing gives zeros, where the book's way gives a quarter to each hidden key (B3)") {
  const LabRun run("masks", {{"length", 0}});
  for (std::size_t key = 0; key < 4; ++key) {
    CHECK(run.at("one.weights", {key}) == 0.0);
    CHECK(run.at("one.book_weights", {key}) == 0.25);
  }
}

TEST_CASE("masks: a score under -1e6 is still seen, where the book's mask would win against it (B4)") {
  const LabRun run("masks");
  CHECK(run.row("far.weights") == std::vector<double>{1.0, 0.0});
  CHECK(run.row("far.book_weights") == std::vector<double>{0.0, 1.0});
}

TEST_CASE("masks: lengths of examples hide for all their queries, lengths of queries for each its own") {
  const LabRun run("masks");
  const double examples[2] = {2, 3}, queries[2][2] = {{1, 3}, {2, 4}};
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t q = 0; q < 2; ++q) {
      double sums[3] = {0, 0, 0};
      for (std::size_t k = 0; k < 4; ++k) {
        const Cell cell = {b, q, k};
        CHECK(run.at("examples.mask", cell) == (k < examples[b] ? 1.0 : 0.0));
        CHECK(run.at("queries.mask", cell) == (k < queries[b][q] ? 1.0 : 0.0));
        CHECK((run.at("examples.weights", cell) > 0.0) == (k < examples[b]));
        CHECK((run.at("queries.weights", cell) > 0.0) == (k < queries[b][q]));
        sums[0] += run.at("none.weights", cell), sums[1] += run.at("examples.weights", cell);
        sums[2] += run.at("queries.weights", cell);
      }
      for (const double sum : sums) CHECK(std::abs(sum - 1.0) < 1e-6);
    }
  CHECK(run.row("queries.weights", {0, 0}) == std::vector<double>{1, 0, 0, 0});
}

TEST_CASE("masks: causal: a query sees itself and what came before, never what comes") {
  const LabRun run("masks");
  for (std::size_t q = 0; q < 5; ++q)
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(run.at("causal.mask", {q, k}) == (k <= q ? 1.0 : 0.0));
      CHECK((run.at("causal.weights", {q, k}) == 0.0) == (k > q));
    }
}

TEST_CASE("masks: lengths can be dragged, and one that is too long is refused") {
  const LabRun run("masks", Json::object(), {{"examples.lengths", {4, 1}}});
  CHECK(run.row("examples.weights", {1, 0}) == std::vector<double>{1, 0, 0, 0});
  CHECK(run.at("examples.mask", {0, 1, 3}) == 1.0);
  CHECK_THROWS_WITH_AS(LabRun("masks", Json::object(), {{"examples.lengths", {5, 1}}}),
                       doctest::Contains("masked_softmax: valid length"), DataError);
}

TEST_CASE(
    "mask-use: a mask that is the same for all queries hides padding, one that grows with them the future (MI-2)") {
  const LabRun padding("mask-use"), future("mask-use", {{"use", "future"}}), both("mask-use", {{"use", "both"}});
  CHECK(padding.at("hides_future") == 0.0);
  CHECK(padding.at("hides_padding") == 1.0);
  CHECK(future.at("hides_future") == 1.0);
  CHECK(future.at("hides_padding") == 0.0);
  CHECK(both.at("hides_future") == 1.0);
  CHECK(both.at("hides_padding") == 1.0);
  CHECK(padding.at("row_change") == 0.0);
  CHECK(padding.at("ahead") == 3 + 2 + 1);  // of keys 1, 2, 3 behind queries 0, 1, 2
  CHECK(refusal_of("mask-use", {{"words", 7}}) == "mask-use: 7 words do not fit into 6 keys");
}

TEST_CASE("bmm: ones [2,1,4] x [2,4,6] give fours [2,1,6]; weights of .1 average 0 … 9 and 10 … 19") {
  const LabRun run("bmm");
  CHECK(run["product"].shape() == Shape{2, 1, 6});
  for (const float x : run["product"].values()) CHECK(x == 4.0F);
  CHECK(run.at("average.output", {0, 0, 0}) == doctest::Approx(4.5));
  CHECK(run.at("average.output", {1, 0, 0}) == doctest::Approx(14.5));
  CHECK(run["average.output"].shape() == Shape{2, 1, 1});
}

TEST_CASE("bmm: shapes that do not fit are refused with the reason") {
  CHECK(refusal_of("bmm", {{"left_batch", 3}}) ==
        "bmm: 3 matrices on the left and 2 on the right; each needs its partner");
  CHECK(refusal_of("bmm", {{"right_rows", 5}}) ==
        "bmm: a row on the left has 4 numbers, a column on the right 5; each number needs its partner");
  CHECK(refusal_of("bmm", {{"left_rows", 7}, {"right_columns", 2}}) == "");
}
