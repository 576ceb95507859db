// Layers held to PyTorch by tests/parity/goldens/layers; whole models are by goldens of their own.
#include <doctest/doctest.h>

#include <map>

#include "nn/multi_head.hpp"
#include "nn/norm.hpp"
#include "ops/arithmetic.hpp"
#include "ops/reduce.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// A case of tests/parity/goldens/layers/multi_head.json: sizes of queries, keys and values differ (B25).
struct GoldenHeads {
  Json golden;
  nn::MultiHeadAttention layer;
  std::map<std::string, Parameter*> parameters;
  std::map<std::string, Parameter> inputs;

  GoldenHeads(const Json& sizes, const Json& json, bool bias) : golden(json) {
    const auto size = [&sizes](const char* key) { return sizes.at(key).get<std::size_t>(); };
    Rng rng(1);
    layer = nn::MultiHeadAttention({size("query"), size("key"), size("value"), size("hidden"), size("heads"), bias},
                                   0.0F, MaskRule::correct, rng);
    layer.visit("", [this](const std::string& path, Parameter& p) { parameters[path.substr(1)] = &p; });
    CHECK(parameters.size() == golden.at("weights").size());
    for (const auto& [path, value] : golden.at("weights").items()) parameters.at(path)->value = tensor_of(value);
    for (const auto& [name, value] : golden.at("inputs").items()) inputs[name] = {tensor_of(value), {}, name};
    for (auto& [name, parameter] : inputs) parameters[name] = &parameter;
  }
  Var run(Graph& graph, bool looped) {
    const auto in = [&](const char* name) { return graph.parameter(inputs.at(name)); };
    const Var lengths = golden.contains("lengths") ? graph.constant(tensor_of(golden.at("lengths"))) : Var();
    if (looped) return layer.looped(in("queries"), in("keys"), in("values"), lengths);
    return layer(in("queries"), layer.project(in("keys"), in("values")), lengths);
  }
  void check(const std::string& where, Record record, bool looped) {
    Graph graph({.record = record});
    const Var output = run(graph, looped);
    check_close(where, output.value(), tensor_of(golden.at("output")), 2e-6);
    measured("multi-head output", largest_error(output.value(), tensor_of(golden.at("output"))), where);
    graph.backward(sum(output * graph.constant(tensor_of(golden.at("upstream")))));
    for (const auto& [name, want] : golden.at("gradients").items()) {
      Parameter& p = *parameters.at(name);
      const Tensor got = record == Record::everything ? graph.parameter(p).gradient() : p.gradient;
      check_close(where + " " + name, got, tensor_of(want), 5e-6);
      measured("multi-head gradients", largest_error(got, tensor_of(want)), where + " " + name);
      p.gradient = {};
    }
  }
};

Tensor normed(nn::BatchNorm& layer, const Tensor& x, bool training) {
  Graph graph({.record = Record::nothing, .training = training});
  return layer(graph.constant(x)).value();
}

}  // namespace

// Measured: outputs 3.6e-7, gradients 8.9e-7.
TEST_CASE(
    "multi-head attention: queries, keys and values of different sizes, with bias and without, give PyTorch's output "
    "and gradients (B25)") {
  const Json golden = test::golden("layers/multi_head.json");
  for (const auto& [name, json] : golden.at("cases").items())
    for (const Record record : {Record::backward, Record::everything}) {
      GoldenHeads heads(golden.at("sizes"), json, name.ends_with("_bias"));
      heads.check(name, record, false);
    }
}

TEST_CASE("multi-head attention: one head after the other gives the same numbers and gradients as all at once") {
  const Json golden = test::golden("layers/multi_head.json");
  for (const auto& [name, json] : golden.at("cases").items())
    for (const Record record : {Record::backward, Record::everything})
      GoldenHeads(golden.at("sizes"), json, name.ends_with("_bias")).check(name + " looped", record, true);
}

TEST_CASE("positions: the table of sinusoids is PyTorch's, also of an odd width (B10) and far out") {
  const Json golden = test::golden("layers/positions.json");
  for (const auto& [width, want] : golden.at("tables").items()) {
    const std::size_t columns = std::stoul(width);
    const Tensor rows = tensor_of(want);
    for (std::size_t i = 0; i < golden.at("places").size(); ++i) {
      const Tensor row = nn::sinusoids(golden.at("places").at(i).get<std::size_t>(), 1, columns);
      const double error = largest_error(row.values(), rows.values().subspan(i * columns, columns));
      CHECK(error <= 1e-7);
      measured("positions", error, "width " + width);
    }
  }
}

TEST_CASE(
    "batch norm: in training by the batch, moving the running statistics, and by those outside it, as PyTorch's") {
  const Json golden = test::golden("layers/batch_norm.json");
  nn::BatchNorm layer(3);
  layer.weight.value = tensor_of(golden.at("weights").at("weight"));
  layer.bias.value = tensor_of(golden.at("weights").at("bias"));
  for (std::size_t i = 0; i < 3; ++i)
    check_close("output " + std::to_string(i), normed(layer, tensor_of(golden.at("batches").at(i)), i < 2),
                tensor_of(golden.at("outputs").at(i)), 2e-6);
  check_close("mean", layer.running_mean, tensor_of(golden.at("running_mean")), 1e-6);
  check_close("variance", layer.running_variance, tensor_of(golden.at("running_variance")), 1e-6);
}
