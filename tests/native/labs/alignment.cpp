#include <doctest/doctest.h>

#include <cmath>

#include "engine/steps.hpp"
#include "labs/lab_run.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("alignment: the window stands where it has moved to, and never goes back (BAH-2)") {
  const LabRun run("alignment"), back("alignment", Json::object(), {{"monotone.advance", {0, 2, -1, 1, 1, 1}}});
  CHECK(run.row("monotone.centre") == std::vector<double>{0, 2, 2, 3, 4, 5});
  CHECK(back.row("monotone.centre") == run.row("monotone.centre"));
  CHECK(run.at("monotone.scores", {1, 0}) == doctest::Approx(-0.5 * 16));
  const double rest = std::exp(-2.0), far = std::exp(-8.0);  // one and two words beside the centre
  CHECK(run.at("monotone.weights", {1, 2}) == doctest::Approx(1.0 / (1 + 2 * rest + 2 * far + std::exp(-18.0))));
}

TEST_CASE("alignment: whatever the window does, one of two words that changed places is lost; free scores find both") {
  double best = 0.0;
  for (const float first : {0.0F, 0.5F, 1.0F})
    for (const float second : {0.0F, 0.5F, 1.0F, 1.5F, 2.0F})
      for (const float third : {0.0F, 0.5F, 1.0F, 2.0F}) {
        const LabRun run("alignment", Json::object(), {{"monotone.advance", {first, second, third, 1, 1, 1}}});
        best = std::max(best, run.at("monotone.found", {1}) + run.at("monotone.found", {2}));
      }
  CHECK(best < 1.1);
  const LabRun run("alignment");
  CHECK(run.at("free.found", {1}) > 0.9);
  CHECK(run.at("free.found", {2}) > 0.9);
  CHECK(run.at("free.total") > run.at("monotone.total") + 0.5);
}

TEST_CASE("alignment: French words ask, English ones are keys") {
  const LabRun run("alignment", {{"width", 3.0}});
  CHECK(engine::labels_of("free.weights", "query", 6, run.result)[1] == "voiture");
  CHECK(engine::labels_of("monotone.scores", "key", 6, run.result)[1] == "red");
}
