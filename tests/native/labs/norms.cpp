#include <doctest/doctest.h>

#include <cmath>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("norms: of (1 2) and (2 3) layer norm makes (−1 1) twice, batch norm (−1 −1) and (1 1)") {
  const LabRun run("norms");
  const double layer[] = {-1, 1, -1, 1}, batch[] = {-1, -1, 1, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(run["layer.output"].values()[i] - layer[i]) < 1e-4);
    CHECK(std::abs(run["batch.output"].values()[i] - batch[i]) < 1e-4);
  }
  CHECK(run.row("layer.mean") == std::vector<double>{1.5, 2.5});
  CHECK(run.row("batch.mean") == std::vector<double>{1.5, 2.5});
  CHECK(run.row("layer.variance") == std::vector<double>{0.25, 0.25});
}

TEST_CASE("norms: another row changes what batch norm makes of the first two, and nothing that layer norm does") {
  for (const int rows : {3, 4}) {
    const LabRun run("norms", {{"rows", rows}});
    CHECK(run.at("changed.layer") == 0.0);
    CHECK(run.at("changed.batch") > 1.0);
    CHECK(run["input"].size(0) == static_cast<std::size_t>(rows));
  }
  CHECK(LabRun("norms").at("changed.batch") == 0.0);
}

TEST_CASE("norms: padding moves batch norm's numbers, and leaves layer norm's alone") {
  const LabRun run("norms");
  CHECK(run.at("padding.layer") == 0.0);
  CHECK(run.at("padding.batch") > 0.1);
  CHECK(run.at("padded.input", {1, 2, 1}) == 0.0);
}

TEST_CASE("norms: over words and features together a word's numbers depend on the other words (B20)") {
  const LabRun run("norms");
  CHECK(run.at("leak.last_axis") == 0.0);
  CHECK(run.at("leak.both_axes") > 0.1);
  double mean = 0.0;
  for (const float x : run["both_axes"].values()) mean += x / 12.0;
  CHECK(std::abs(mean) < 1e-6);
}

TEST_CASE("norms: the numbers can be typed") {
  const LabRun run("norms", Json::object(), {{"input", {0, 4, 0, 8}}});
  CHECK(std::abs(run.at("layer.output", {1, 1}) - 1.0) < 1e-4);
  CHECK(std::abs(run.at("batch.output", {0, 0})) < 1e-6);  // a feature without variance
}
