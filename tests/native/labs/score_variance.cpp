#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("score-variance: of 10,000 dot products the variance is d within a tenth, and 1 once divided by √d") {
  const LabRun run("score-variance", {{"samples", 10000}});
  for (std::size_t s = 0; s < 10; ++s) {
    const double d = run.at("size", {s});
    CHECK(d == std::pow(2.0, static_cast<double>(s)));
    CHECK(std::abs(run.at("raw.variance", {s}) / d - 1.0) < 0.1);
    CHECK(std::abs(run.at("scaled.variance", {s}) - 1.0) < 0.1);
  }
}

TEST_CASE(
    "score-variance: without 1/√d softmax settles on one key and its gradient dies; with it nothing changes with d") {
  const LabRun run("score-variance");
  const auto of = [&run](const char* step, std::size_t s) { return run.at(step, {s}); };
  for (std::size_t s = 1; s < 10; ++s) {
    CHECK(of("raw.entropy", s) < of("raw.entropy", s - 1));
    CHECK(of("raw.largest_weight", s) > of("raw.largest_weight", s - 1));
  }
  CHECK(of("raw.entropy", 9) < 0.2);
  CHECK(of("raw.gradient", 9) < 0.08);
  CHECK(of("raw.gradient", 9) < 0.25 * of("raw.gradient", 0));
  for (std::size_t s = 1; s < 10; ++s) {
    CHECK(std::abs(of("scaled.entropy", s) - 1.95) < 0.08);
    CHECK(of("scaled.gradient", s) > 0.3);
    CHECK(of("scaled.entropy", s) < run.at("most_entropy"));
  }
  CHECK(run.at("most_entropy") == doctest::Approx(std::log(10.0)));
}

TEST_CASE("score-variance: a single row opens, and what is said of it is what its weights give") {
  const LabRun run("score-variance", {{"samples", 10}});
  CHECK(run.at("scaled.scores", {6, 2}) == doctest::Approx(run.at("raw.scores", {6, 2}) / 8.0));
  for (const std::string way : {"raw", "scaled"})
    for (std::size_t s = 0; s < 10; ++s) {
      const std::vector<double> a = run.row(way + ".weights", {s});
      double jacobian = 0.0, entropy = 0.0;  // of softmax: diag(a) − a aᵀ
      for (std::size_t i = 0; i < 10; ++i) {
        entropy -= a[i] > 0.0 ? a[i] * std::log(a[i]) : 0.0;
        for (std::size_t j = 0; j < 10; ++j) jacobian += std::pow((i == j ? a[i] : 0.0) - a[i] * a[j], 2.0);
      }
      CHECK(run.at(way + ".gradient", {s}) == doctest::Approx(std::sqrt(jacobian)).epsilon(1e-4));
      CHECK(run.at(way + ".entropy", {s}) == doctest::Approx(entropy).epsilon(1e-4));
      CHECK(run.at(way + ".largest_weight", {s}) == doctest::Approx(*std::ranges::max_element(a)).epsilon(1e-5));
    }
}

TEST_CASE("embedding-scale: N(0, 1) embeddings are already larger than positions; √d makes them 5.7 to 0.7 (C4)") {
  const LabRun run("embedding-scale", {{"words", 100}, {"seed", 2}});
  CHECK(std::abs(run.at("position_rms") - std::sqrt(0.5)) < 1e-6);
  CHECK(std::abs(run.at("standard.rms") - 1.0) < 0.05);
  CHECK(std::abs(run.at("standard.scaled_rms") - std::sqrt(32.0)) < 0.3);
  CHECK(std::abs(run.at("small.rms") - 1.0 / std::sqrt(32.0)) < 0.01);
  CHECK(std::abs(run.at("small.scaled_rms") - 1.0) < 0.05);
}

TEST_CASE("embedding-scale: small embeddings need the scale or drown in the positions; large ones do not") {
  const LabRun run("embedding-scale", {{"words", 100}});
  CHECK(run.at("small.share") > 0.9);
  CHECK(run.at("small.scaled_share") < 0.4);
  CHECK(run.at("standard.scaled_share") < 0.02);
  const double p = 0.5, e = std::pow(run.at("standard.rms"), 2.0);
  CHECK(run.at("standard.share") == doctest::Approx(p / (p + e)).epsilon(1e-5));
}
