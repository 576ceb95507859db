#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("ffn: the same layers for each word: ones in, equal rows out; shapes 2×3×4 to 2×3×8 (TR-4)") {
  const LabRun run("ffn");
  CHECK(run["hidden"].shape() == Shape{2, 3, 4});
  CHECK(run["output"].shape() == Shape{2, 3, 8});
  CHECK(run.at("row_difference") == 0.0);
  for (std::size_t t = 0; t < 3; ++t) CHECK(run.row("output", {1, t}) == run.row("output", {0, 0}));
  CHECK(run.at("parameters") == 4 * 4 + 4 + 8 * 4 + 8);
  CHECK(LabRun("ffn", {{"equal", false}}).at("row_difference") > 0.1);
}

TEST_CASE("ffn: relu(W_1 x + b_1), then W_2 and b_2, by hand") {
  const LabRun run("ffn", {{"equal", false}, {"seed", 3}});
  for (std::size_t f = 0; f < 8; ++f) {
    double y = run.at("b_2", {f});
    for (std::size_t h = 0; h < 4; ++h) {
      double u = run.at("b_1", {h});
      for (std::size_t i = 0; i < 4; ++i) u += run.at("W_1", {h, i}) * run.at("input", {1, 2, i});
      CHECK(run.at("hidden", {1, 2, h}) == doctest::Approx(std::max(u, 0.0)));
      y += run.at("W_2", {f, h}) * std::max(u, 0.0);
    }
    CHECK(run.at("output", {1, 2, f}) == doctest::Approx(y));
  }
}

TEST_CASE("ffn: a word that is changed changes its own row alone") {
  std::vector<float> ones(24, 1.0F);
  ones[5] = 2.0F;  // the second word of the first sentence
  const LabRun run("ffn", Json::object(), {{"input", ones}}), plain("ffn");
  CHECK(run.row("output", {0, 1}) != plain.row("output", {0, 1}));
  CHECK(run.row("output", {0, 0}) == plain.row("output", {0, 0}));
  CHECK(run.row("output", {1, 1}) == plain.row("output", {1, 1}));
}

TEST_CASE("add-norm: rows of the output have mean 0 and variance 1, and the shape stays (TR-5)") {
  const LabRun run("add-norm");
  CHECK(run["output"].shape() == Shape{3, 4});
  for (std::size_t t = 0; t < 3; ++t) {
    CHECK(std::abs(run.at("output_mean", {t})) < 1e-6);
    CHECK(run.at("output_variance", {t}) == doctest::Approx(1.0).epsilon(1e-3));
    for (std::size_t f = 0; f < 4; ++f) {
      CHECK(run.at("sum", {t, f}) == doctest::Approx(run.at("x", {t, f}) + run.at("y", {t, f})));
      const double want = (run.at("sum", {t, f}) - run.at("mean", {t})) / std::sqrt(run.at("variance", {t}) + 1e-5);
      CHECK(run.at("output", {t, f}) == doctest::Approx(want));
    }
  }
  CHECK(run.at("difference") > 0.1);
}

TEST_CASE("add-norm: a sub-layer that gives nothing leaves the norm of x") {
  const LabRun run("add-norm", {{"sublayer", "zero"}});
  CHECK(run.at("difference") == 0.0);
  CHECK(largest_error(run["output"], run["norm_alone"]) == 0.0);
  CHECK(largest_error(run["sum"], run["x"]) == 0.0);
}

TEST_CASE("add-norm: dropout acts in training alone, and what is kept grows (B12)") {
  const LabRun rest("add-norm"),
      train("add-norm", {{"training", true}, {"words", 16}, {"size", 64}, {"sublayer_size", 64}});
  for (const float k : rest["kept"].values()) CHECK(k == 1.0F);
  double zeros = 0.0;
  for (const float k : train["kept"].values()) {
    CHECK((k == 0.0F || k == 2.0F));
    zeros += k == 0.0F ? 1.0 : 0.0;
  }
  CHECK(std::abs(zeros / 1024.0 - 0.5) < 0.05);
}

TEST_CASE("add-norm: shapes that differ cannot be added; without the residual there is nothing to add") {
  CHECK(refusal_of("add-norm", {{"sublayer_size", 5}}) ==
        "add-norm: x has shape [3, 4], what the sub-layer gives [3, 5]; they are added number by number");
  const LabRun run("add-norm", {{"sublayer_size", 5}, {"residual", false}});
  CHECK(run["output"].shape() == Shape{3, 5});
  CHECK_FALSE(run.has("difference"));
}
