#include <doctest/doctest.h>

#include <cmath>

#include "engine/engine.hpp"
#include "engine/explain.hpp"

using namespace attn;
using engine::Engine;
using engine::Json;
using engine::Reply;

namespace {

struct Looked {
  Engine engine{"native"};
  Json session, run;
  Reply reply;

  Looked() {
    session = engine
                  .call("open", {{"model", "transformer"},
                                 {"config",
                                  {{"hidden_size", 8},
                                   {"heads", 2},
                                   {"layers", 1},
                                   {"ffn_size", 8},
                                   {"min_frequency", 1},
                                   {"seed", 4}}},
                                 {"data", {{"pairs", "Go.\tVa !\nI lost.\tJ'ai perdu.\n"}}}})
                  .head["session"];
    run = again({{"sentence", "I lost."}, {"target", "J'ai perdu."}}, &reply);
  }
  Json again(const Json& inputs, Reply* out = nullptr) {
    Reply r = engine.call("run", {{"session", session}, {"inputs", inputs}, {"want", {"*"}}});
    const Json id = r.head["run"];
    if (out != nullptr) *out = std::move(r);
    return id;
  }
  Reply derive(const Json& what, const Json& of = {}) {
    return engine.call("derive", {{"run", of.is_null() ? run : of}, {"what", Json::array({what})}});
  }
  Json explain(const Json& step, const Json& cell, const char* guess = nullptr) {
    Json request = {{"run", run}, {"node", step["nodes"][0]}, {"cell", cell}};
    if (guess != nullptr) request["guess"] = guess;
    return engine.call("explain", request).head;
  }
  /// Values of a step of the run.
  const float* values(const std::string& name) const {
    for (const Json& step : reply.head["steps"])
      if (step["name"] == name) return reply.data.data() + step["offset"].get<std::size_t>();
    return nullptr;
  }
};

const char* kWeights = "encoder.0.attention.weights";  // [1, 2 heads, 4, 4]: "i lost . <eos>"

}  // namespace

TEST_CASE("derive: row sums of weights are 1, and open into the weights they add") {
  Looked l;
  const Reply sums = l.derive({{"name", "row_sums"}, {"step", kWeights}, {"sum", "key"}});
  const Json& step = sums.head["steps"][0];
  CHECK(step["name"] == "derived.row_sums");
  CHECK(step["axes"].size() == 3);
  REQUIRE(sums.data.size() == 8);
  for (const float sum : sums.data) CHECK(std::abs(sum - 1.0F) < 1e-6F);
  const Json why = l.explain(step, {0, 1, 2});
  REQUIRE(why["expr"]["of"].size() == 4);
  CHECK(why["expr"]["of"][3]["step"] == kWeights);
  CHECK(why["expr"]["of"][3]["cell"] == Json({0, 1, 2, 3}));
}

TEST_CASE("derive: chosen heads and words, averaged") {
  Looked l;
  const Reply mean = l.derive({{"name", "m"}, {"step", kWeights}, {"select", {{"query", {2, 0}}}}, {"mean", "head"}});
  REQUIRE(mean.data.size() == 8);
  const float* w = l.values(kWeights);
  for (std::size_t key = 0; key < 4; ++key) {
    CHECK(mean.data[key] == doctest::Approx((w[2 * 4 + key] + w[16 + 2 * 4 + key]) / 2));
    CHECK(mean.data[4 + key] == doctest::Approx((w[key] + w[16 + key]) / 2));
  }
}

TEST_CASE("derive: axes that are left keep the words of the step they came from, chosen ones theirs or their indices") {
  Looked l;
  const auto axes = [&](const Json& what) { return l.derive(what).head["steps"][0]["axes"]; };
  const std::string self = "decoder.0.self.weights";  // <bos> j'ai perdu .
  const Json of_heads = axes({{"name", "m"}, {"step", self}, {"mean", "head"}});
  CHECK(of_heads[2]["labels"] == Json({"<bos>", "j'ai", "perdu", "."}));
  CHECK(of_heads[1]["labels"] == of_heads[2]["labels"]);
  const Json chosen =
      axes({{"name", "m"}, {"step", self}, {"select", {{"head", {1, 0}}, {"key", {2, 0}}}}, {"sum", "query"}});
  CHECK(chosen[1]["labels"] == Json({"1", "0"}));
  CHECK(chosen[2]["labels"] == Json({"perdu", "<bos>"}));
  const Reply sums = l.derive({{"name", "m2"}, {"step", self}, {"sum", "key"}});
  CHECK(l.explain(sums.head["steps"][0], {0, 0, 2})["axes"][2]["labels"][2] == "perdu");
}

TEST_CASE("derive: the difference of two runs, of the same step; shapes that differ are refused") {
  Looked l;
  const Json same = l.again({{"sentence", "I lost."}, {"target", "J'ai perdu."}});
  const Reply none = l.derive({{"name", "d"}, {"step", kWeights}, {"minus", {{"run", same}}}});
  for (const float d : none.data) CHECK(d == 0.0F);
  const Json other = l.again({{"sentence", "Go now lost."}, {"target", "J'ai perdu."}});
  CHECK_THROWS_AS(l.derive({{"name", "d"}, {"step", kWeights}, {"minus", {{"run", other}}}}), ShapeError);
  const Reply self = l.derive({{"name", "d"}, {"step", kWeights}, {"minus", {{"step", "decoder.0.cross.weights"}}}});
  CHECK(self.data[0] == doctest::Approx(l.values(kWeights)[0] - l.values("decoder.0.cross.weights")[0]));
}

TEST_CASE("derive: a stacked step by one turn or along its loop, also where its turns grow") {
  Looked l;
  Reply said;
  const Json run = l.again({{"sentence", "I lost."}}, &said);
  const Reply all = l.derive({{"name", "s"}, {"step", "decoder.0.self.weights"}, {"sum", "key"}}, run);
  for (const float sum : all.data) CHECK(std::abs(sum - 1.0F) < 1e-6F);
  const std::size_t turns = said.head["translation"]["target"].size();
  REQUIRE(turns > 1);
  const Reply last = l.derive({{"name", "t"}, {"step", "decoder.0.self.weights"}, {"time", turns - 1}}, run);
  CHECK(last.head["steps"][0]["axes"].back()["size"] == turns);
  const Reply none = l.derive(
      {{"name", "u"}, {"step", "decoder.0.cross.weights"}, {"time", turns - 1}, {"minus", {{"run", run}}}}, run);
  REQUIRE(none.data.size() == 2 * 4);
  for (const float d : none.data) CHECK(d == 0.0F);
}

TEST_CASE("derive: the run's own steps stay as they were; what is not there is named") {
  Looked l;
  const Reply copy = l.derive({{"name", "copy"}, {"step", kWeights}});
  CHECK(copy.head["steps"][0]["name"] == "derived.copy");
  CHECK(l.explain(l.reply.head["steps"][0], Json::array({0, 0}))["step"] == l.reply.head["steps"][0]["name"]);
  CHECK_THROWS_WITH_AS(l.derive({{"name", "x"}, {"step", "nothing"}}), doctest::Contains("\"nothing\""), ConfigError);
  CHECK_THROWS_WITH_AS(l.derive({{"name", "x"}, {"step", kWeights}, {"sum", "time"}}), doctest::Contains("\"time\""),
                       ConfigError);
  CHECK_THROWS_WITH_AS(l.derive({{"name", "x"}, {"step", kWeights}, {"select", {{"head", {7}}}}}),
                       doctest::Contains("no entry 7"), ConfigError);
  CHECK_THROWS_AS(l.derive({{"name", "x"}, {"step", kWeights}, {"select", {{"head", Json::array()}}}}), ConfigError);
  CHECK_THROWS_AS(l.derive({{"name", "x"}, {"step", "decoder.0.self.weights"}, {"minus", {{"run", 999}}}}),
                  ConfigError);
}

TEST_CASE("guesses: a number of a run is right to the digits typed; how far off is told") {
  Looked l;
  const float stored = l.values(kWeights)[0];
  const Json step = l.derive({{"name", "w"}, {"step", kWeights}}).head["steps"][0];
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", stored);
  const Json right = l.explain(step, {0, 0, 0, 0}, text)["guess"];
  CHECK(right["right"] == true);
  CHECK(std::abs(right["off"].get<double>()) <= 0.005);
  std::snprintf(text, sizeof text, "%.3f", stored + 0.002F);
  CHECK(l.explain(step, {0, 0, 0, 0}, text)["guess"]["right"] == false);
  std::snprintf(text, sizeof text, "%.1e", stored);
  CHECK(l.explain(step, {0, 0, 0, 0}, text)["guess"]["right"] == true);
  for (const char* no : {"", "x", "0.5x", "nan", "1e999"})
    CHECK_THROWS_AS(l.explain(step, {0, 0, 0, 0}, no), ConfigError);
}

TEST_CASE("guesses: right is what the number rounds to at the digits typed, and within 5 % of it") {
  const auto right = [](const char* guess, double stored) {
    return engine::marked(guess, stored)["right"].get<bool>();
  };
  for (const auto& [guess, stored] : std::vector<std::pair<const char*, double>>{{"0.15", 0.148},
                                                                                 {".148", 0.148},
                                                                                 {"1.5e-1", 0.148},
                                                                                 {"0.12", 0.125},
                                                                                 {"0.13", 0.125},
                                                                                 {"2.3", 2.302585},
                                                                                 {"12", 12.3},
                                                                                 {"3", 2.9},
                                                                                 {"1", 0.97},
                                                                                 {"-0.75", -0.75},
                                                                                 {"1e3", 990},
                                                                                 {"0.09003057", 0.0900305733},
                                                                                 {"2.675", 2.6749999523}})
    CHECK_MESSAGE(right(guess, stored), guess << " for " << stored);
  for (const auto& [guess, stored] : std::vector<std::pair<const char*, double>>{{"0.14", 0.148},
                                                                                 {"0.16", 0.148},
                                                                                 {"0.1", 0.148},
                                                                                 {"0.8", 0.75},
                                                                                 {"2", 2.302585},
                                                                                 {"1", 0.6},
                                                                                 {"0", 1},
                                                                                 {"1", 0},
                                                                                 {"13", 12.3},
                                                                                 {"0.75", -0.75},
                                                                                 {"1e3", 1200},
                                                                                 {"2.3026", 2.3029}})
    CHECK_MESSAGE(!right(guess, stored), guess << " for " << stored);
}

TEST_CASE("guesses: zero is right for zero, and with decimals for what they round to it") {
  const auto right = [](const char* guess, double stored) {
    return engine::marked(guess, stored)["right"].get<bool>();
  };
  for (const char* zero : {"0", "0.0", "-0", "0.000", "0e0"}) CHECK(right(zero, 0.0));
  CHECK(right("0", 6e-8));  // what rounding left of a difference
  CHECK(right("0.00", 0.002));
  CHECK_FALSE(right("0.000", 0.002));
  CHECK_FALSE(right("0", 0.02));
  CHECK_FALSE(right("0.0", 0.02));
  CHECK_FALSE(right("0", 0.4));
}
