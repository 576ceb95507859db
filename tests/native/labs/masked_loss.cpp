#include <doctest/doctest.h>

#include <cmath>

#include "labs/lab_run.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("masked-loss: of ones and lengths 4, 2, 0 the book's way gives 2.3026, 1.1513, 0 (PR-2)") {
  const LabRun run("masked-loss");
  const double expected[] = {std::log(10.0), std::log(10.0) / 2, 0.0};
  for (std::size_t b = 0; b < 3; ++b) CHECK(std::abs(run.at("book", {b}) - expected[b]) < 1e-6);
  CHECK(run["logits"].shape() == Shape{3, 4, 10});
  CHECK(run.row("mask", {1}) == std::vector<double>{1, 1, 0, 0});
  CHECK(run.row("loss", {2}) == std::vector<double>(4, 0.0));
  for (const float x : run["token_loss"].values()) CHECK(x == doctest::Approx(std::log(10.0)));  // of padding, too
}

TEST_CASE("masked-loss: nats a word do not know the padding, what the book reports falls with it (B6, Q14)") {
  const LabRun four("masked-loss"), eight("masked-loss", {{"steps", 8}});
  for (const LabRun* run : {&four, &eight}) {
    CHECK(run->at("tokens") == 6.0);
    CHECK(run->at("sum") == doctest::Approx(6 * std::log(10.0)));
    CHECK(run->at("per_token") == doctest::Approx(std::log(10.0)));
  }
  CHECK(four.at("book_sum") == doctest::Approx(1.5 * std::log(10.0)));
  CHECK(four.at("book_mean") == doctest::Approx(0.5 * std::log(10.0)));
  CHECK(four.at("book_reported") == doctest::Approx(std::log(10.0) / 4));
  CHECK(eight.at("book_reported") == doctest::Approx(std::log(10.0) / 8));
}

TEST_CASE(
    "masked-loss: padding gets no gradient; a word's is softmax less its target, scaled by what one starts from") {
  LabRun run("masked-loss");
  const auto first = [&run](const char* of) { return run.slope(of, {}, "logits"); };
  const double right = 0.1 - 1.0, wrong = 0.1;
  for (const auto& [of, divisor] : std::map<const char*, double>{{"sum", 1}, {"per_token", 6}, {"book_sum", 4}}) {
    const Tensor slope = first(of);
    CHECK(slope.at(Cell{0, 3, 1}) == doctest::Approx(right / divisor));
    CHECK(slope.at(Cell{0, 3, 0}) == doctest::Approx(wrong / divisor));
    CHECK(slope.at(Cell{1, 2, 1}) == 0.0);  // behind the second sentence
    CHECK(slope.at(Cell{2, 0, 1}) == 0.0);
  }
}

TEST_CASE("masked-loss: without a word the loss is 0, and a length beyond the room counts what is there") {
  const LabRun none("masked-loss", Json::object(), {{"lengths", {0, 0, 0}}}),
      all("masked-loss", Json::object(), {{"lengths", {9, 4, 5}}});
  CHECK(none.at("per_token") == 0.0);
  CHECK(none.at("book_reported") == 0.0);
  CHECK(all.at("tokens") == 12.0);
  CHECK_THROWS_WITH_AS(LabRun("masked-loss", Json::object(), {{"targets", std::vector<float>(12, 10.0F)}}),
                       doctest::Contains("cross_entropy: target"), DataError);
}
