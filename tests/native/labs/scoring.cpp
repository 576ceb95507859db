#include <doctest/doctest.h>

#include <cmath>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

const char* const kScorers[] = {"additive", "dot", "sum", "bilinear"};

void check_toy(const LabRun& run, const std::string& scorer) {
  INFO(scorer);
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t v = 0; v < 4; ++v)
      CHECK(run.at(scorer + ".context", {b, 0, v}) == doctest::Approx((b == 0 ? 2.0 : 10.0) + static_cast<double>(v)));
}

}  // namespace

TEST_CASE("scoring: while all keys are equal every scorer gives 2 3 4 5 and 10 11 12 13, whatever its weights") {
  for (const int seed : {0, 1, 2}) {
    const LabRun run("scoring", {{"seed", seed}});
    for (const char* scorer : kScorers) check_toy(run, scorer);
  }
  check_toy(LabRun("scoring", {{"scorer", "additive"}, {"query_size", 20}}), "additive");
  check_toy(LabRun("scoring", {{"scorer", "bilinear"}, {"query_size", 20}}), "bilinear");
}

TEST_CASE("scoring: one other key changes it") {
  std::vector<float> keys(2 * 10 * 2, 1.0F);
  keys[0] = 3.0F;
  const LabRun run("scoring", Json::object(), {{"keys", keys}});
  for (const char* scorer : kScorers) CHECK(std::abs(run.at(std::string(scorer) + ".context", {0, 0, 0}) - 2.0) > 1e-3);
  check_toy(LabRun("scoring"), "dot");
}

TEST_CASE("scoring: additive and qᵀMk take queries of 20 and keys of 2; dot and sum refuse them, with the reason") {
  CHECK(refusal_of("scoring", {{"scorer", "dot"}, {"query_size", 20}}) ==
        "dot product: a query has 20 numbers, a key 2; each number needs its partner. Additive scoring and qᵀMk need "
        "none");
  CHECK(refusal_of("scoring", {{"scorer", "sum"}, {"key_size", 5}}).starts_with("sum: a query has 2 numbers, a key 5"));
  const LabRun padded("scoring", {{"scorer", "dot"}, {"query_size", 4}, {"keys", "random"}, {"pad", true}});
  CHECK(padded["padded.keys"].shape() == Shape{2, 10, 4});
  double seen = 0.0;  // what is beyond the key's size has no say
  for (std::size_t i = 0; i < 2; ++i) seen += padded.at("queries", {0, 0, i}) * padded.at("keys", {0, 3, i});
  CHECK(padded.at("dot.raw", {0, 0, 3}) == doctest::Approx(seen));
}

TEST_CASE("scoring: with a sum as the score the weights do not know the query (Q11); with the others they do") {
  const LabRun run("scoring", {{"queries", 3}, {"keys", "random"}, {"seed", 1}});
  const auto change = [&run](const std::string& scorer) {
    double largest = 0.0;
    for (std::size_t k = 0; k < 10; ++k)
      largest =
          std::max(largest, std::abs(run.at(scorer + ".weights", {0, 0, k}) - run.at(scorer + ".weights", {0, 1, k})));
    return largest;
  };
  CHECK(change("sum") < 1e-6);
  for (const char* scorer : {"additive", "dot", "bilinear"}) CHECK(change(scorer) > 1e-3);
}

TEST_CASE("scoring: the batched product is the loop over queries and keys") {
  const LabRun run("scoring", {{"queries", 5}, {"keys", "random"}, {"query_size", 7}, {"key_size", 7}});
  CHECK(run.at("dot.loop.difference") < 1e-5);
  CHECK(largest_error(run["dot.loop.context"], run["dot.context"]) < 1e-6);
  for (std::size_t k = 0; k < 10; ++k)
    CHECK(run.at("dot.scores", {1, 2, k}) == doctest::Approx(run.at("dot.raw", {1, 2, k}) / std::sqrt(7.0)));
}

TEST_CASE("scoring: qᵀMk is what it says") {
  const LabRun run("scoring", {{"scorer", "bilinear"}, {"query_size", 3}, {"keys", "random"}});
  double score = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      score += run.at("queries", {1, 0, i}) * run.at("bilinear.matrix", {i, j}) * run.at("keys", {1, 4, j});
  CHECK(run.at("bilinear.scores", {1, 0, 4}) == doctest::Approx(score));
}

TEST_CASE("scoring: additive learns hidden · (query + key + 1) numbers, the dot product and the sum none") {
  const LabRun run("scoring", {{"hidden", 5}, {"query_size", 3}, {"key_size", 3}});
  CHECK(run.at("additive.parameters") == 5 * (3 + 3 + 1));
  CHECK(run["additive.W_q.weight"].size() + run["additive.W_k.weight"].size() + run["additive.w_v.weight"].size() ==
        35);
  CHECK(run.at("dot.parameters") == 0.0);
  CHECK(run.at("sum.parameters") == 0.0);
  CHECK(run.at("bilinear.parameters") == 9.0);
}

TEST_CASE("additive-concat: the sum of two projections is one layer on the joined query and key") {
  for (const int seed : {0, 1, 2, 3}) {
    const LabRun run("additive-concat", {{"seed", seed}, {"query_size", 7}, {"key_size", 4}, {"hidden", 9}});
    CHECK(run.at("joined.difference") < 1e-6);
    CHECK(run["joined.input"].size() == 11);
    CHECK(run["joined.weight"].shape() == Shape{9, 11});
    double score = 0.0;
    for (std::size_t h = 0; h < 9; ++h) {
      double pre = 0.0;
      for (std::size_t i = 0; i < 11; ++i) pre += run.at("joined.weight", {h, i}) * run.at("joined.input", {i});
      score += run.at("w_v", {h}) * std::tanh(pre);
    }
    CHECK(run.at("added.score") == doctest::Approx(score).epsilon(1e-5));
  }
}

TEST_CASE("scoring-costs: the products of both scorers are counted, and their time is shown") {
  const LabRun run("scoring-costs", {{"queries", 5}, {"keys", 7}, {"size", 6}, {"hidden", 3}});
  CHECK(run.at("dot.multiply_adds") == 5 * 7 * 6 + 5 * 7 * 6);                         // scores, and values by weights
  CHECK(run.at("additive.multiply_adds") == 3 * 6 * (5 + 7) + 5 * 7 * 3 + 5 * 7 * 6);  // projections, w_v, values
  CHECK(run.at("additive.parameters") == 3 * 13);
  CHECK(run.at("dot.milliseconds") > 0.0);
  CHECK(run.at("additive.milliseconds") > 0.0);
}
