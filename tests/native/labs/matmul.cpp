#include "labs/matmul.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/json.hpp"
#include "engine/registry.hpp"
#include "support/compare.hpp"
#include "tensor/refusal.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Run {
  std::unique_ptr<models::Model> lab;
  Graph graph{{}};
  models::Result result;

  explicit Run(const engine::Json& config) {
    engine::FieldReader reader(config, "config of matmul");
    lab = engine::kind("matmul").open(reader, {});
    reader.finish();
    result = lab->run(graph);
  }
  const Node& step(const std::string& name) const {
    for (const NodePtr& node : graph.nodes())
      if (node->name == name) return *node;
    throw std::runtime_error("no step " + name);
  }
};

}  // namespace

TEST_CASE("matmul lab: a stored transposed, b stored transposed and both paths give products of the numbers shown") {
  for (const bool a : {false, true})
    for (const bool b : {false, true})
      for (const int batch : {1, 3})
        for (const char* path : {"reference", "simd"}) {
          const Run run({{"m", 5},
                         {"n", 7},
                         {"k", 3},
                         {"batch", batch},
                         {"a_transposed", a},
                         {"b_transposed", b},
                         {"path", path},
                         {"measure_ms", 0}});
          const Tensor &left = run.step("a").value, &right = run.step("b").value, &product = run.step("product").value;
          INFO("batch ", batch, ", a transposed ", a, ", b transposed ", b);
          CHECK(product.size() == 35U * static_cast<unsigned>(batch));
          const std::size_t last = static_cast<std::size_t>(batch) - 1, row = 4, column = 6;
          double sum = 0.0;
          for (std::size_t p = 0; p < 3; ++p)
            sum += static_cast<double>(left.values()[last * 15 + (a ? p * 5 + row : row * 3 + p)]) *
                   right.values()[last * 21 + (b ? column * 3 + p : p * 7 + column)];
          CHECK(error_of(product.values()[last * 35 + row * 7 + column], sum) <= 1e-6);
          CHECK(run.result.metrics.at("multiply_adds") == 105.0 * batch);
          CHECK_FALSE(run.result.metrics.contains("gflops"));
        }
}

TEST_CASE("matmul lab: a cell of the product opens into its row and column") {
  const Run run({{"m", 2}, {"n", 2}, {"k", 3}, {"measure_ms", 0}});
  const Explanation why = run.graph.explain(run.step("product"), {1, 0});
  CHECK(why.expr.of.size() == 3);
  CHECK(why.expr.value == doctest::Approx(run.step("product").value.values()[2]).epsilon(1e-6));
}

TEST_CASE("matmul lab: measures its speed beside that of the registers, and says how many products it made") {
  const Run run({{"m", 16}, {"n", 16}, {"k", 16}, {"measure_ms", 20}});
  const auto& metrics = run.result.metrics;
  for (const char* name : {"gflops", "ms", "peak_gflops", "share"}) CHECK(metrics.at(name) > 0.0);
  CHECK(metrics.at("products") >= 5.0);
  CHECK(metrics.at("share") == doctest::Approx(metrics.at("gflops") / metrics.at("peak_gflops")));
}

TEST_CASE("matmul lab: refuses what this machine could not hold, before it is allocated") {
  const auto opened = [](const engine::Json& config) { Run run(config); };
  CHECK_THROWS_WITH_AS(opened({{"m", 2048}, {"n", 2048}, {"k", 2048}, {"batch", 4096}}),
                       doctest::Contains("4096 × (2048×2048 · 2048×2048) is too large"), ConfigError);
  CHECK_THROWS_AS(opened({{"m", 0}}), ConfigError);
  CHECK_THROWS_AS(opened({{"path", "abacus"}}), ConfigError);
}

TEST_CASE("matmul lab: compared with the three plain loops, whole numbers are equal, normal ones close") {
  for (const char* numbers : {"normal", "whole"}) {
    const Run run(
        {{"m", 33}, {"n", 17}, {"k", 65}, {"batch", 2}, {"numbers", numbers}, {"compare", true}, {"measure_ms", 0}});
    const bool whole = std::string(numbers) == "whole";
    for (const float x : run.step("a").value.values())
      if (whole) REQUIRE((x == std::round(x) && std::abs(x) <= 4.0F));
    const Tensor &product = run.step("product").value, &reference = run.step("reference").value;
    CHECK(largest_error(product, reference) <= (whole ? 0.0 : 1e-5));
    CHECK(run.step("difference").value.shape() == product.shape());
    CHECK(run.result.metrics.at("largest_difference") <= (whole ? 0.0 : 1e-4));
    CHECK(run.result.metrics.at("relative_difference") <= (whole ? 0.0 : 1e-5));
    CHECK(run.result.metrics.at("multiply_adds") == 2.0 * 33 * 17 * 65);
  }
}

TEST_CASE("matmul lab: a build without a GPU refuses its path, with the reason") {
  try {
    Run({{"m", 4}, {"n", 4}, {"k", 4}, {"path", "webgpu"}, {"measure_ms", 0}});
    FAIL("not refused");
  } catch (const Refused<ConfigError>& e) {
    CHECK(e.code == "matmul.no_gpu");
    CHECK(e.values.at("reason") == "absent");
  }
}
