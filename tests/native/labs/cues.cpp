#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/steps.hpp"
#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

double total(const std::vector<double>& row) { return std::accumulate(row.begin(), row.end(), 0.0); }

}  // namespace

TEST_CASE("cues: without an intention the red cup draws the look; in grey all things share it alike") {
  const LabRun red("cues"), grey("cues", {{"red_cup", false}});
  const std::vector<double> weights = red.row("attention.weights");
  CHECK(std::ranges::max_element(weights) - weights.begin() == 2);
  CHECK(weights[2] == doctest::Approx(std::exp(2.5) / (std::exp(2.5) + 4)).epsilon(1e-6));
  CHECK(largest_error(red["attention.weights"], red["involuntary.weights"]) == 0.0);
  for (const double w : grey.row("attention.weights")) CHECK(std::abs(w - 0.2) <= 1e-6);
}

TEST_CASE("cues: to want to read moves the look to the book, while saliency stays; to want to drink, to the cup") {
  const LabRun none("cues"), read("cues", {{"intention", "read"}}),
      drink("cues", {{"intention", "drink"}, {"red_cup", false}});
  CHECK(read.at("attention.weights", {4}) > 0.5);
  CHECK(largest_error(read["saliency"], none["saliency"]) == 0.0);
  CHECK(largest_error(read["involuntary.weights"], none["involuntary.weights"]) == 0.0);
  CHECK(drink.at("attention.weights", {2}) > 0.9);
  CHECK(read.at("match", {0}) == doctest::Approx(0.4 * 6));
}

TEST_CASE("cues: pooling knows no query: its weights stay when the query moves, attention's do not") {
  const LabRun none("cues"), read("cues", {{"intention", "read"}}),
      asked("cues", Json::object(), {{"query", {1, -2, 3}}});
  CHECK(largest_error(read["pooling.weights"], none["pooling.weights"]) == 0.0);
  CHECK(largest_error(asked["pooling.weights"], none["pooling.weights"]) == 0.0);
  CHECK(largest_error(asked["attention.weights"], none["attention.weights"]) > 0.1);
  CHECK(none.at("pooling.output") == doctest::Approx(3.0));
}

TEST_CASE("cues: every way of looking spends one look, and no less than nothing on a thing") {
  for (const char* intention : {"none", "read", "drink", "write"}) {
    const LabRun run("cues", {{"intention", intention}});
    for (const char* way : {"involuntary", "attention", "pooling"}) {
      const std::vector<double> weights = run.row(std::string(way) + ".weights");
      CHECK(std::abs(total(weights) - 1.0) < 1e-6);
      CHECK(run.at(std::string(way) + ".total") == doctest::Approx(total(weights)));
      CHECK(*std::ranges::min_element(weights) >= 0.0);
      double output = 0.0;
      for (std::size_t i = 0; i < 5; ++i) output += weights[i] * run.at("values", {i});
      CHECK(run.at(std::string(way) + ".output") == doctest::Approx(output));
    }
  }
}

TEST_CASE("cues: a budget shared out by hand is added up and held against what softmax does") {
  const LabRun run("cues", {{"intention", "read"}}, {{"by_hand.shares", {0, 0, 0, 0, 0.75F}}});
  CHECK(run.at("by_hand.total") == 0.75);
  CHECK(run.at("by_hand.left") == 0.25);
  double apart = 0.0;
  for (std::size_t i = 0; i < 5; ++i) apart += std::abs((i == 4 ? 0.75 : 0.0) - run.at("attention.weights", {i})) / 2;
  CHECK(run.at("by_hand.elsewhere") == doctest::Approx(apart));
}

TEST_CASE(
    "lookup: on a key, with a small width, the output is that key's value; far from all keys it is the nearest one's") {
  for (int key = 0; key < 6; ++key) {
    const LabRun run("lookup", {{"query", key}, {"width", 0.1}});
    CHECK(std::abs(run.at("output") - run.at("values", {static_cast<std::size_t>(key)})) < 1e-3);
  }
  const LabRun between("lookup", {{"query", 2.5}, {"width", 0.1}});
  CHECK(between.at("output") == doctest::Approx((2.0 + 5.0) / 2));
  const LabRun far("lookup", {{"query", -1.0}, {"width", 0.02}});  // every e^score is 0 in float32
  CHECK(far.at("output") == 1.0);
}

TEST_CASE(
    "lookup: a wide kernel listens to all alike, as pooling does; the curve is the same computation along the line") {
  const LabRun wide("lookup", {{"width", 10.0}, {"query", 2.5}}), run("lookup", {{"query", 2.4}});
  CHECK(std::abs(wide.at("output") - wide.at("pooling.output")) < 0.05);
  CHECK(run.at("pooling.output") == doctest::Approx(2.5));
  const std::vector<double> line = run.row("curve.query");
  const auto place =
      static_cast<std::size_t>(std::ranges::find_if(line, [](double x) { return x > 2.399; }) - line.begin());
  CHECK(run.at("curve.output", {place}) == doctest::Approx(run.at("output")));
}

TEST_CASE(
    "softmax-axis: along the keys every query's row sums to 1, along the queries every key's column does instead") {
  const LabRun run("softmax-axis");
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(std::abs(run.at("rows.row_sums", {i}) - 1.0) < 1e-6);
    CHECK(std::abs(run.at("columns.column_sums", {i}) - 1.0) < 1e-6);
    CHECK(run.at("rows.row_sums", {i}) == doctest::Approx(total(run.row("rows.weights", {i}))));
  }
  const auto off = [](const std::vector<double>& sums) { return std::ranges::max(sums) - std::ranges::min(sums); };
  CHECK(off(run.row("columns.row_sums")) > 0.1);
  CHECK(off(run.row("rows.column_sums")) > 0.1);
}

TEST_CASE("softmax-axis: the identity is what a heat map begins with, and a turned map exchanges query and key") {
  const LabRun run("softmax-axis", {{"scores", "identity"}});
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j) CHECK(run.at("scores", {i, j}) == (i == j ? 1.0 : 0.0));
  const LabRun random("softmax-axis", {{"size", 4}, {"seed", 3}});
  CHECK(random.at("turned", {1, 3}) == random.at("rows.weights", {3, 1}));
  CHECK(random.node("turned").axes == Axes{"key", "query"});
}

TEST_CASE("cues: the things are named on the axis that they stand on") {
  const LabRun run("cues");
  const auto labels = engine::labels_of("by_hand.shares", "key", 5, run.result);
  CHECK(labels == std::vector<std::string>{"newspaper", "paper", "cup", "notebook", "book"});
  CHECK(engine::labels_of("query", "purpose", 3, run.result)[1] == "drink");
  CHECK(engine::axes_json("values", {"key"}, {5}, run.result)[0]["named"] == true);
  CHECK_FALSE(engine::axes_json("output", {"head"}, {2}, run.result)[0].contains("named"));
}
