#include <doctest/doctest.h>

#include "labs/lab_run.hpp"
#include "models/kernel_regression.hpp"
#include "support/compare.hpp"

using namespace attn;
using namespace attn::test;

namespace {

void between(const LabRun& run, const std::string& step, const Cell& cell, double low, double high) {
  INFO(step, " ", run.at(step, cell));
  CHECK(run.at(step, cell) >= low);
  CHECK(run.at(step, cell) <= high);
}

}  // namespace

// The same recipe with PyTorch's generator, 60 draws: losses 49.2 19.3 18.2 17.0 16.8; w .41 10.1 11.8 11.7 11.7 12.1; errors
// .892 .424 .113; largest weights .087 .979; better in 57 of 60. Here, 200 seeds: losses 48.2 20.6 18.5 18.2 18.0; w .43 10.6
// 12.9 12.8 13.1 12.9; errors .896 .418 .117; largest weights .085 .997; better in 192 of 200.
TEST_CASE("kernel-regression-seeds: medians over two hundred seeds lie where another generator's draws lay") {
  const LabRun run("kernel-regression-seeds", {{"seeds", 200}});
  CHECK(run["w"].shape() == Shape{200, 6});
  CHECK(run["loss"].shape() == Shape{200, 5});
  between(run, "median.loss", {0}, 42.0, 56.0);
  between(run, "median.loss", {1}, 16.0, 23.0);
  between(run, "median.loss", {4}, 14.0, 20.0);
  between(run, "median.w", {0}, 0.3, 0.6);
  between(run, "median.w", {1}, 8.0, 13.0);
  between(run, "median.w", {5}, 10.0, 14.0);
  between(run, "median.error.average", {}, 0.75, 1.05);
  between(run, "median.error.fixed", {}, 0.36, 0.5);
  between(run, "median.error.learned", {}, 0.08, 0.15);
  between(run, "median.largest_weight.fixed", {}, 0.075, 0.1);
  between(run, "median.largest_weight.learned", {}, 0.95, 1.0);
  between(run, "better", {}, 0.85, 1.0);
  between(run, "sharper", {}, 0.95, 1.0);  // NW-7
}

TEST_CASE(
    "kernel-regression-seeds: a row is the run of that seed, and an even number of seeds has its median between two") {
  const LabRun run("kernel-regression-seeds", {{"seeds", 2}, {"first_seed", 40}, {"epochs", 3}});
  models::KernelRegressionConfig config;
  config.seed = 41;
  config.epochs = 3;
  models::KernelRegression model(config);
  train::Trainer trainer(model, model.parameters(), model.optimizer(model.parameters()), model.settings());
  trainer.advance(1e3);
  CHECK(run.at("w", {1, 3}) == model.parameters()[0]->value.item());
  CHECK(run.at("loss", {1, 2}) == doctest::Approx(trainer.progress().history.back().at("squared_error")));
  CHECK(run.at("median.w", {2}) == doctest::Approx((run.at("w", {0, 2}) + run.at("w", {1, 2})) / 2.0));
  CHECK(run.result.labels[0].words == std::vector<std::string>{"40", "41"});
}

TEST_CASE("kernel-regression-seeds: w = 0 never learns, whatever the seed") {
  const LabRun run("kernel-regression-seeds", {{"seeds", 3}, {"random_w", false}, {"first_w", 0.0}});
  for (const float w : run["w"].values()) CHECK(w == 0.0F);
  CHECK(run.at("better") == 0.0);
}

TEST_CASE("kernel-regression-seeds: with itself among the keys, training drives the loss on down and the width up") {
  const Json long_run = {{"seeds", 10}, {"epochs", 30}};
  Json with_itself = long_run;
  with_itself["leave_one_out"] = false;
  const LabRun others("kernel-regression-seeds", long_run), itself("kernel-regression-seeds", with_itself);
  CHECK(itself.at("median.loss", {29}) < 0.7 * others.at("median.loss", {29}));
  CHECK(itself.at("median.loss", {29}) < 0.9 * itself.at("median.loss", {9}));  // and still falling
  CHECK(itself.at("median.loss", {29}) < 8.0);
  CHECK(itself.at("median.w", {29}) > others.at("median.w", {29}));
  CHECK(itself.at("median.error.learned") > others.at("median.error.learned") * 0.9);
}

// Mean test errors with PyTorch's generator: w = 1: .379 .374 .387 for n = 50, 200, 1000; w = 6: .058 .015 .010.
TEST_CASE("kernel-regression-sizes: a fixed width does not converge, a narrower one goes on falling") {
  const LabRun run("kernel-regression-sizes");
  CHECK(run.row("n") == std::vector<double>{10, 20, 50, 100, 200, 500, 1000});
  CHECK(run.row("w")[4] == 6.0);
  const std::vector<double> wide = run.row("error", {0}), narrow = run.row("error", {4});
  for (const std::size_t size : {2, 4, 6}) {
    CHECK(wide[size] > 0.3);
    CHECK(wide[size] < 0.46);
  }
  CHECK(narrow[2] > 0.03);
  CHECK(narrow[2] < 0.09);
  CHECK(narrow[4] < 0.025);
  CHECK(narrow[6] < 0.015);
  for (std::size_t size = 1; size < 7; ++size) CHECK(run.row("best_error")[size] < run.row("best_error")[size - 1]);
  CHECK(run.row("best_w")[6] > run.row("best_w")[0]);  // the kernel narrows as data grow
}
