#include <doctest/doctest.h>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("permutation: without positions the outputs change places as the words did, with them they do not") {
  for (const char* order : {"reversed", "rotated", "shuffled"}) {
    INFO(std::string(order));
    const LabRun run("permutation", {{"order", order}, {"words", 9}});
    CHECK(run.at("without.difference") < 1e-5);
    CHECK(largest_error(run["without.moved.output"], run["without.expected"]) < 1e-5);
    CHECK(run.at("with.difference") > 0.1);
    CHECK(largest_error(run["without.moved.output"], run["without.output"]) > 0.1);  // something did move
  }
}

TEST_CASE("permutation: the order is one of all words, and says who stands where") {
  const LabRun run("permutation", {{"order", "rotated"}, {"words", 4}});
  CHECK(run.row("order") == std::vector<double>{1, 2, 3, 0});
  CHECK(run.row("moved", {3}) == run.row("input", {0}));
  std::vector<double> shuffled = LabRun("permutation", {{"order", "shuffled"}, {"words", 12}}).row("order");
  std::ranges::sort(shuffled);
  for (std::size_t i = 0; i < 12; ++i) CHECK(shuffled[i] == static_cast<double>(i));
}

TEST_CASE("permutation: one other word changes every output") {
  const LabRun plain("permutation");
  std::vector<float> words(plain["input"].values().begin(), plain["input"].values().end());
  for (std::size_t i = 0; i < 8; ++i) words[i] += 1.0F;
  const LabRun edited("permutation", Json::object(), {{"input", words}});
  for (std::size_t i = 0; i < 6; ++i) {
    double change = 0.0;
    for (std::size_t f = 0; f < 8; ++f)
      change += std::abs(edited.at("without.output", {i, f}) - plain.at("without.output", {i, f}));
    CHECK(change > 1e-3);
  }
}

TEST_CASE("permutation: with one matrix for queries and keys the scores are symmetric, with two they are not (Q23)") {
  const LabRun two("permutation"), one("permutation", {{"tied", true}});
  CHECK(two.at("without.asymmetry") > 1.0);
  CHECK(one.at("without.asymmetry") < 1e-5);
  CHECK(largest_error(one["W_k"], one["W_q"]) == 0.0);
}
