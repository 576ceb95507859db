#include <doctest/doctest.h>

#include <cmath>

#include "engine/engine.hpp"
#include "support/golden.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Training {
  engine::Engine engine{"native"};
  Json session;
  Json history;

  explicit Training(const Json& config = Json::object()) {
    session = engine.call("open", {{"model", "trained-scorers"}, {"config", config}}).head["session"];
  }
  void train() { history = engine.call("train", {{"session", session}, {"budget_ms", 60000}}).head["history"]; }
  double at(const char* step) { return engine.call("run", {{"session", session}, {"want", {step}}}).data.at(0); }
};

}  // namespace

TEST_CASE("trained-scorers: both learn to fetch the right value, and come to agree in part (Q12)") {
  Training scorers;
  CHECK(scorers.at("additive.hit") < 0.35);  // one of six keys, untrained
  CHECK(scorers.at("agreement.correlation") < 0.4);
  scorers.train();
  REQUIRE(scorers.history.size() == 40);
  const auto fall = [&](const char* loss) {
    return scorers.history.back()[loss].get<double>() / scorers.history.front()[loss].get<double>();
  };
  CHECK(fall("additive_loss") < 0.3);
  CHECK(fall("dot_loss") < 0.7);
  CHECK(scorers.at("additive.hit") > 0.8);
  CHECK(scorers.at("dot.hit") > 0.55);  // q · k cannot subtract the length of k, so long keys win too often
  CHECK(scorers.at("agreement.overlap") > 0.6);
  CHECK(scorers.at("agreement.correlation") > 0.6);
}

TEST_CASE("trained-scorers: without a constant additive scoring is odd, and never learns to tell a match") {
  Training scorers({{"constant", false}, {"epochs", 40}});
  scorers.train();
  CHECK(scorers.at("additive.hit") < 0.25);
  CHECK(scorers.at("dot.hit") > 0.55);
  CHECK(std::abs(scorers.at("agreement.correlation")) < 0.2);
}

TEST_CASE("trained-scorers: a seed is a run") {
  const Json two = {{"epochs", 2}, {"seed", 0}}, other = {{"epochs", 2}, {"seed", 1}};
  Training a(two), b(two), c(other);
  for (Training* t : {&a, &b, &c}) t->train();
  CHECK(a.history == b.history);
  CHECK(a.history != c.history);
}
