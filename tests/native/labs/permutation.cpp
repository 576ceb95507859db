#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/steps.hpp"
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

TEST_CASE("permutation: a word of a sentence is the same vector wherever it stands, and its weights know no sentence") {
  const LabRun bites("permutation", {{"sentence", "Dog bites man"}}),
      other("permutation", {{"sentence", "A man bites a dog."}}), plain("permutation", {{"words", 12}});
  CHECK(bites["input"].shape() == Shape{3, 8});
  CHECK(bites.row("input", {0}) == other.row("input", {4}));  // dog
  CHECK(bites.row("input", {2}) == other.row("input", {1}));  // man
  CHECK(other.row("input", {0}) == other.row("input", {3}));  // a, twice
  CHECK(bites.row("input", {0}) != bites.row("input", {1}));
  for (const char* w : {"W_q", "W_k", "W_v"}) {
    CHECK(largest_error(bites[w], other[w]) == 0.0);
    CHECK(largest_error(bites[w], plain[w]) == 0.0);
  }
  const LabRun seeded("permutation", {{"sentence", "Dog bites man"}, {"seed", 1}});
  CHECK(largest_error(bites["input"], seeded["input"]) > 0.1);
}

TEST_CASE("permutation: without positions dog bites man is man bites dog, word for word; with them it is not (Q24)") {
  const LabRun dog("permutation", {{"sentence", "dog bites man"}}), man("permutation", {{"sentence", "man bites dog"}});
  const auto apart = [&](const char* output) {
    double largest = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t f = 0; f < 8; ++f)
        largest = std::max(largest, std::abs(dog.at(output, {i, f}) - man.at(output, {2 - i, f})));
    return largest;
  };
  CHECK(apart("without.output") < 1e-6);
  CHECK(apart("with.output") > 0.01);
}

TEST_CASE("permutation: axes carry the words in the order in which they stand there") {
  const LabRun run("permutation", {{"sentence", "dog bites man"}}), plain("permutation", {{"words", 4}});
  const auto words = [](const LabRun& of, const char* step, const char* axis, std::size_t n) {
    return engine::labels_of(step, axis, n, of.result);
  };
  const std::vector<std::string> there = {"dog", "bites", "man"}, back = {"man", "bites", "dog"};
  CHECK(words(run, "input", "time", 3) == there);
  CHECK(words(run, "with.scores", "key", 3) == there);
  CHECK(words(run, "with.output", "time", 3) == there);
  CHECK(words(run, "order", "time", 3) == back);
  CHECK(words(run, "moved", "time", 3) == back);
  CHECK(words(run, "without.expected", "time", 3) == back);
  CHECK(words(run, "without.moved.weights", "query", 3) == back);
  CHECK(words(plain, "moved", "time", 4) == std::vector<std::string>{"4", "3", "2", "1"});
}

TEST_CASE("permutation: a sentence of one word, or of more than 32, is refused") {
  CHECK(refusal_of("permutation", {{"sentence", "hush"}}) ==
        "permutation: a sentence of 2 to 32 words is needed; this has 1");
  std::string many;
  for (int i = 0; i < 33; ++i) many += "ha ";
  CHECK(refusal_of("permutation", {{"sentence", many}}).find("this has 33") != std::string::npos);
  CHECK(refusal_of("permutation", {{"sentence", "  "}}).find("this has 0") != std::string::npos);
}
