#include <doctest/doctest.h>

#include <cmath>

#include "labs/lab_run.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("costs: multiply-adds counted in the kernels are those of the formulas, on odd shapes too") {
  for (const auto& [n, k, d] : {std::tuple{9, 3, 8}, {13, 5, 7}, {2, 2, 1}, {31, 4, 3}, {5, 9, 6}}) {
    INFO("n ", n, ", k ", k, ", d ", d);
    const LabRun run("costs", {{"n", n}, {"k", k}, {"d", d}});
    CHECK(run.at("convolution.multiply_adds") == k * n * d * d);  // and not k·n·d (C1)
    CHECK(run.at("gru.multiply_adds") == 6 * n * d * d);
    CHECK(run.at("attention.multiply_adds") == 2 * n * n * d);
    CHECK(run.at("attention.projections") == 4 * n * d * d);
    for (const std::string layer : {"convolution", "gru", "attention"})
      CHECK(run.at(layer + ".multiply_adds") == run.at(layer + ".formula"));
    CHECK(run.at("convolution.outline") == k * n * d);
  }
}

TEST_CASE("costs: only the recurrent layer must wait, n products one after the other (C2)") {
  for (const int n : {2, 9, 40}) {
    const LabRun run("costs", {{"n", n}});
    CHECK(run.at("convolution.sequential") == 1.0);
    CHECK(run.at("attention.sequential") == 4.0);  // projection, scores, values, W_o
    CHECK(run.at("gru.sequential") == n);
  }
}

TEST_CASE("costs: the way from end to end is n/k layers of a convolution, log n dilated, n steps, or one (C3)") {
  for (const auto& [n, k, plain, dilated] :
       {std::tuple{9, 3, 4, 2}, {10, 3, 5, 3}, {27, 3, 13, 3}, {28, 3, 14, 4}, {16, 2, 15, 4}, {5, 9, 1, 1}}) {
    INFO("n ", n, ", k ", k);
    const LabRun run("costs", {{"n", n}, {"k", k}}), wide("costs", {{"n", n}, {"k", k}, {"dilated", true}});
    CHECK(run.at("convolution.path") == plain);
    CHECK(wide.at("convolution.path") == dilated);
    for (const LabRun* r : {&run, &wide}) CHECK(r->at("convolution.path") == r->at("convolution.path_formula"));
    CHECK(run.at("gru.path") == n - 1);
    CHECK(run.at("gru.path_formula") == n - 1);
    CHECK(run.at("attention.path") == 1.0);
  }
}

TEST_CASE("costs: after each layer the word is heard k − 1 places further") {
  const LabRun run("costs");
  for (std::size_t layer = 0; layer < 4; ++layer)
    for (std::size_t t = 0; t < 9; ++t)
      CHECK(run.at("convolution.reach", {layer, t}) == (t <= 2 * (layer + 1) ? 1 : 0));
}

TEST_CASE("attention-costs: twice the words are four times the products of attention, and twice those of the others") {
  const LabRun run("attention-costs", {{"longest", 128}, {"k", 3}, {"d", 5}, {"repeats", 1}});
  CHECK(run.row("n") == std::vector<double>{8, 16, 32, 64, 128});
  for (std::size_t i = 0; i < 5; ++i) {
    const double n = run.at("n", {i});
    CHECK(run.at("convolution.multiply_adds", {i}) == 3 * n * 25);
    CHECK(run.at("gru.multiply_adds", {i}) == 6 * n * 25);
    CHECK(run.at("attention.multiply_adds", {i}) == 2 * n * n * 5);
    for (const std::string layer : {"convolution", "gru", "attention"})
      CHECK(run.at(layer + ".milliseconds", {i}) > 0.0);
  }
  CHECK(run.at("slope.convolution") == doctest::Approx(1.0));
  CHECK(run.at("slope.gru") == doctest::Approx(1.0));
  CHECK(run.at("slope.attention") == doctest::Approx(2.0));
}

TEST_CASE("attention-costs: the slope of the milliseconds is that of the line through the longer half of them") {
  const LabRun run("attention-costs", {{"longest", 64}, {"d", 4}, {"repeats", 1}});
  REQUIRE(run.row("n") == std::vector<double>{8, 16, 32, 64});
  for (const std::string layer : {"convolution", "gru", "attention"}) {
    const auto ms = run.row(layer + ".milliseconds");  // of 32 and of 64 words: the line goes through both
    CHECK(run.at("milliseconds_slope." + layer) == doctest::Approx(std::log2(ms[3] / ms[2])).epsilon(1e-4));
  }
}

TEST_CASE("cost-curves: counted at every length, and the usual terms beside") {
  const LabRun run("cost-curves");  // k 3, d 8
  CHECK(run.row("n") == std::vector<double>{1, 2, 4, 8, 16, 32, 64});
  for (std::size_t i = 0; i < 7; ++i) {
    const double n = run.at("n", {i});
    CHECK(run.at("convolution.multiply_adds", {i}) == 3 * n * 64);
    CHECK(run.at("gru.multiply_adds", {i}) == 6 * n * 64);
    CHECK(run.at("attention.multiply_adds", {i}) == 2 * n * n * 8);
    CHECK(run.at("attention.with_projections", {i}) == 2 * n * n * 8 + 4 * n * 64);
    CHECK(run.at("attention.order", {i}) == n * n * 8);
  }
  CHECK(run.at("convolution.order", {0}) == 192.0);
  CHECK(run.at("gru.order", {6}) == 64.0 * 64.0);
}

TEST_CASE("cost-curves: the terms meet at n = d and n = k·d; counted, attention and the GRU meet at n = d") {
  for (const auto& [k, d] : {std::pair{3, 8}, {5, 16}, {2, 1}, {15, 64}}) {
    const LabRun run("cost-curves", {{"k", k}, {"d", d}});
    const double size = d, width = k;
    CHECK(run.row("crossing.n") == std::vector<double>{size, width * size});
    CHECK(run.at("crossing.order", {0}) == size * size * size);                  // n·d² = n²·d
    CHECK(run.at("crossing.order", {1}) == width * size * size * width * size);  // k·n·d² = n²·d
    const LabRun there("costs", {{"n", std::max(2, d)}, {"k", k}, {"d", d}});
    if (d >= 2) {
      CHECK(run.at("crossing.counted", {0}) == there.at("gru.multiply_adds"));
      CHECK(run.at("crossing.counted", {0}) == there.at("attention.multiply_adds") + there.at("attention.projections"));
    }
    CHECK(run.row("n").back() == std::min(1024.0, std::exp2(std::ceil(std::log2(2.0 * k * d)))));
  }
}
