#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "engine/steps.hpp"
#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("multi-head: batched and head by head give the same, of shape [2, 4, 100] (MH-3, MH-7, Q19)") {
  const LabRun run("multi-head");
  CHECK(run["batched.output"].shape() == Shape{2, 4, 100});
  CHECK(run["batched.weights"].shape() == Shape{2, 5, 4, 6});
  CHECK(run["loop.4.weights"].shape() == Shape{2, 4, 6});
  CHECK(run.at("difference") < 1e-5);
  CHECK(run.at("largest") < 1e-6);
  CHECK(run.at("largest") == doctest::Approx(largest_error(run["batched.output"], run["loop.output"])));
  for (std::size_t head = 0; head < 5; ++head)
    for (std::size_t key = 0; key < 6; ++key)
      CHECK(run.at("batched.weights", {1, head, 2, key}) ==
            doctest::Approx(run.at("loop." + std::to_string(head) + ".weights", {1, 2, key})));
}

TEST_CASE("multi-head: lengths 3 and 2 hide what is behind them, for every head; they can be edited") {
  const LabRun run("multi-head"), edited("multi-head", Json::object(), {{"lengths", {1, 6}}});
  for (std::size_t head = 0; head < 5; ++head) {
    CHECK(run.at("batched.weights", {0, head, 0, 3}) == 0.0);
    CHECK(run.at("batched.weights", {0, head, 0, 2}) > 0.0);
    CHECK(run.at("batched.weights", {1, head, 0, 2}) == 0.0);
    CHECK(edited.at("batched.weights", {0, head, 0, 0}) == 1.0);
  }
}

TEST_CASE("multi-head: given ones, all keys are alike: equal weights and, without a mask, one output for every query") {
  const LabRun run("multi-head", {{"given", "ones"}});
  CHECK(run.at("batched.weights", {0, 0, 0, 0}) == doctest::Approx(1.0 / 3));
  for (std::size_t i = 0; i < 100; ++i)
    CHECK(run.at("batched.output", {0, 0, i}) == doctest::Approx(run.at("batched.output", {1, 3, i})));
}

TEST_CASE(
    "multi-head: the matrices know neither the heads nor the bias; one head and five have as many weights (Q20)") {
  const LabRun five("multi-head"), one("multi-head", {{"heads", 1}, {"bias", true}, {"batch", 4}});
  for (const char* w : {"W_q.weight", "W_k.weight", "W_v.weight", "W_o.weight"})
    CHECK(largest_error(five[w], one[w]) == 0.0);
  CHECK_FALSE(five.has("W_q.bias"));
  CHECK(one["W_o.bias"].shape() == Shape{100});
  CHECK(one.at("W_q.bias", {7}) != 0.0);
  CHECK(five.at("parameters") == 40000.0);
  CHECK(five.at("parameters.formula") == 40000.0);
  CHECK(one.at("parameters") == 40400.0);
  CHECK(one.at("parameters.bias") == 400.0);
  CHECK(five.at("sizes.head") == 20.0);
  CHECK(one.at("sizes.head") == 100.0);
}

TEST_CASE("multi-head: queries, keys and values may each have their own size (B25); heads must divide (B9)") {
  const LabRun run("multi-head",
                   {{"query_size", 20}, {"key_size", 30}, {"value_size", 40}, {"hidden", 32}, {"heads", 4}});
  CHECK(run["W_q.weight"].shape() == Shape{32, 20});
  CHECK(run["W_k.weight"].shape() == Shape{32, 30});
  CHECK(run["W_v.weight"].shape() == Shape{32, 40});
  CHECK(run["batched.output"].shape() == Shape{2, 4, 32});
  CHECK(run.at("parameters.query") + run.at("parameters.key") + run.at("parameters.value") +
            run.at("parameters.output") ==
        32.0 * (20 + 30 + 40 + 32));
  CHECK(refusal_of("multi-head", {{"heads", 3}}).find("100 cannot be shared out among 3 heads") != std::string::npos);
  CHECK(refusal_of("multi-head", {{"disturb", 6}}) == "multi-head: there is no head 6 to disturb; there are 5");
}

TEST_CASE("multi-head: products do not grow with the heads, batched or not") {
  const LabRun five("multi-head"), one("multi-head", {{"heads", 1}});
  const double projections = 2.0 * 100 * 100 * (4 + 6 + 6 + 4), attention = 2.0 * 2 * 4 * 6 * 100;
  CHECK(five.at("multiply_adds.batched") == projections + attention);
  CHECK(five.at("multiply_adds.loop") == projections + attention);
  CHECK(one.at("multiply_adds.batched") == five.at("multiply_adds.batched"));
  CHECK_FALSE(five.has("milliseconds.loop"));
  const LabRun timed("multi-head", {{"repeats", 2}});
  CHECK(timed.at("milliseconds.batched") > 0.0);
  CHECK(timed.at("milliseconds.loop") > 0.0);
}

TEST_CASE("multi-head: noise in one head's rows of W_q changes that head alone, and through W_o the output (Q19)") {
  const LabRun run("multi-head", {{"disturb", 2}});
  for (std::size_t head = 0; head < 5; ++head) {
    if (head == 1)
      CHECK(run.at("disturbed.heads", {head}) > 0.01);
    else
      CHECK(run.at("disturbed.heads", {head}) == 0.0);
  }
  CHECK(run.at("disturbed.change") > 0.01);
  CHECK(run.at("disturbed.W_q.weight", {19, 3}) == run.at("W_q.weight", {19, 3}));
  CHECK(run.at("disturbed.W_q.weight", {20, 3}) != run.at("W_q.weight", {20, 3}));
  CHECK(run.at("disturbed.W_q.weight", {40, 3}) == run.at("W_q.weight", {40, 3}));
  CHECK_FALSE(LabRun("multi-head").has("disturbed.output"));
}

TEST_CASE("multi-head: rows of the matrices are labelled head and feature") {
  const LabRun run("multi-head");
  const auto labels = engine::labels_of("W_q.weight", "hidden", 100, run.result);
  REQUIRE(labels.size() == 100);
  CHECK(labels[0] == "1·1");
  CHECK(labels[20] == "2·1");
  CHECK(labels[99] == "5·20");
  CHECK(engine::labels_of("batched.weights", "head", 5, run.result)[4] == "5");
}
