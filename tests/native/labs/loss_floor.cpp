#include <doctest/doctest.h>

#include <cmath>

#include "labs/pairs_run.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Floor : PairsRun {
  Floor(const std::string& pairs, const Json& config) : PairsRun("loss-floor", pairs, config) {
    CHECK(opened["data"]["batches"] == 0);
  }
};

}  // namespace

TEST_CASE("loss-floor: what differs between two answers costs ln 2 where they part, and nothing after") {
  const Floor floor("Go.\tVa !\nGo.\tPars !\nWait.\tAttends !\nWait.\tPatiente !\n", {{"min_frequency", 1}});
  const double expected[] = {std::log(2.0), 0, 0};
  for (std::size_t i = 0; i < 12; ++i) CHECK(floor.at("loss", i) == doctest::Approx(expected[i % 3]).epsilon(1e-6));
  CHECK(floor.at("times") == 1.0);
  CHECK(floor.at("of") == 2.0);
  CHECK(floor.at("probability") == 0.5);
  CHECK(floor.at("floor") == doctest::Approx(std::log(2.0) / 3.0));
  CHECK(floor.at("book_floor") == doctest::Approx(std::log(2.0) / 30.0));  // B6
  CHECK(floor.at("distinct_sources") == 2.0);
  CHECK(floor.at("several") == 2.0);
}

TEST_CASE("loss-floor: it is taken over ids: words read as <unk> are one word") {
  const std::string pairs = "Go.\tVa !\nGo.\tPars !\nGo.\tVa !\n";
  const Floor known(pairs, {{"min_frequency", 1}}), rare(pairs, {{"min_frequency", 2}});
  CHECK(known.at("floor") == doctest::Approx((2 * std::log(1.5) + std::log(3.0)) / 9.0));
  CHECK(rare.at("unknown.target") == doctest::Approx(1.0 / 6.0));  // pars
  CHECK(known.at("unknown.target") == 0.0);
  CHECK(rare.at("floor") == doctest::Approx(known.at("floor")));  // <unk> is still another word than va
}

TEST_CASE("loss-floor: one answer for each sentence can be known for certain") {
  const Floor floor("Go.\tVa !\nRun!\tCours !\n", {{"min_frequency", 1}});
  CHECK(floor.at("floor") == 0.0);
  CHECK(floor.at("several") == 0.0);
}

TEST_CASE("loss-floor: wants pairs") {
  engine::Engine engine("native");
  CHECK_THROWS_WITH_AS(engine.call("open", {{"model", "loss-floor"}}), "open: loss-floor reads data.pairs",
                       ConfigError);
}
