// Files of weights that PyTorch made, opened through the engine; what each named step of a run must be, and the gradient
// of the loss with respect to it, stands in tests/parity/goldens/steps.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/engine.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"

using namespace attn;
using namespace attn::test;
using engine::Engine;
using engine::Reply;

namespace {

constexpr double kStep = 1e-5;      // of max(1, |x|); measured: 3.7e-6
constexpr double kGradient = 1e-5;  // of the step's largest gradient; measured as WebAssembly: 3.8e-6
/// … or of this, if that is smaller. Gradients begin with p − 1 of the right word, and float32 rounds p to 6e-8 however
/// little the two differ: what comes back is no more exact than that.
constexpr double kSmallest = 1e-2;

std::string file_of(const std::string& name) {
  return source_text("tests/parity/goldens/files/" + name + ".safetensors");
}

/// Every fault of the book that the model can be given.
Json book_config(Engine& engine, const std::string& model) {
  Json out = Json::object();
  const Json models = engine.call("describe", {}).head.at("models");
  for (const Json& kind : models)
    if (kind.at("name") == model)
      for (const Json& field : kind.at("fields"))
        if (const auto name = field.at("name").get<std::string>(); name.starts_with("book_")) out[name] = true;
  return out;
}

struct Opened {
  Engine engine{"test"};
  Json head;

  Opened(const std::string& model, const std::string& bytes, const Json& config, const Json& data = Json::object()) {
    head = engine.call("open", {{"model", model}, {"config", config}, {"data", data}}, bytes).head;
  }
  Reply run(const Json& inputs) {
    return engine.call("run", {{"session", head.at("session")}, {"inputs", inputs}, {"want", {"*"}}});
  }
  /// With a backward pass from the loss, or from another number of the run.
  Reply run_back(const Json& inputs, const std::string& from = "") {
    Json request = {{"session", head.at("session")}, {"inputs", inputs}, {"want", {"*"}}, {"gradients", true}};
    if (!from.empty()) request["from"] = {{"step", from}, {"cell", Json::array()}};
    return engine.call("run", request);
  }
  std::string save() { return engine.call("save", {{"session", head.at("session")}}).bytes; }
};

Tensor tensor_at(const Json& step, const char* offset, const std::vector<float>& data) {
  std::vector<std::size_t> sizes;
  for (const Json& axis : step.at("axes")) sizes.push_back(axis.at("size").get<std::size_t>());
  const Shape shape(sizes);
  const auto from = data.begin() + static_cast<std::ptrdiff_t>(step.at(offset).get<std::size_t>());
  return Tensor::of(shape, std::vector<float>(from, from + static_cast<std::ptrdiff_t>(shape.elements())));
}

/// All that a run named, parameters included.
std::map<std::string, Tensor> steps_of(const Reply& reply) {
  std::map<std::string, Tensor> out;
  for (const Json& step : reply.head.at("steps")) out.emplace(step.at("name"), tensor_at(step, "offset", reply.data));
  return out;
}

/// Of all steps that have one.
std::map<std::string, Tensor> gradients_of(const Reply& reply) {
  std::map<std::string, Tensor> out;
  for (const Json& step : reply.head.at("steps"))
    if (step.contains("gradient_offset")) out.emplace(step.at("name"), tensor_at(step, "gradient_offset", reply.data));
  return out;
}

/// The largest difference, of the largest number there is.
double error_of_largest(const Tensor& got, const Tensor& want) {
  if (got.shape() != want.shape()) return std::numeric_limits<double>::infinity();
  double error = 0.0, largest = kSmallest;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double x = want.values()[i], distance = std::abs(got.values()[i] - x);
    largest = std::max(largest, std::abs(x));
    if (!(distance <= error)) error = distance;
  }
  return error / largest;
}

/// Each gradient is PyTorch's, and neither has one that the other lacks.
void check_gradients(const std::string& where, std::map<std::string, Tensor> got, const Json& want) {
  for (const auto& [name, expected] : want.items()) {
    INFO(where, ": there is no gradient of ", name);
    REQUIRE(got.contains(name));
    const double error = error_of_largest(got.at(name), tensor_of(expected));
    INFO(where, ": gradient of ", name);
    CHECK(error <= kGradient);
    measured("gradients of named steps", error, where + " " + name);
    got.erase(name);
  }
  std::string unknown;
  for (const auto& step : got) unknown += " " + step.first;
  INFO(where, ": gradients without a golden:", unknown);
  CHECK(got.empty());
}

void check_step(const std::string& where, const Tensor& got, const Tensor& want) {
  INFO(where, ": shape ", got.shape().str(), ", PyTorch's ", want.shape().str());
  const double error = largest_error(got, want);
  CHECK(error <= kStep);
  measured("named steps", error, where);
}

/// Each of the run's steps is PyTorch's, the parameters are the file's, and neither has a step that the other lacks.
void check_steps(const std::string& where, std::map<std::string, Tensor> got, const Json& want,
                 const engine::ModelFile& file) {
  for (const auto& [name, expected] : want.items()) {
    INFO(where, ": the run has no step ", name);
    REQUIRE(got.contains(name));
    check_step(where + " " + name, got.at(name), tensor_of(expected));
    got.erase(name);
  }
  for (const auto& [name, tensor] : file.tensors)
    if (got.contains(name)) {
      INFO(where, ": parameter ", name);
      CHECK(largest_error(got.at(name), tensor) == 0.0);
      got.erase(name);
    }
  std::string unknown;
  for (const auto& step : got) unknown += " " + step.first;
  INFO(where, ": steps without a golden:", unknown);
  CHECK(got.empty());
}

Json inputs_of(const Json& golden, const std::string& whose) {
  Json inputs = {{"sentence", golden.at("sentence")}};
  if (whose == "given") inputs["target"] = golden.at("target");
  return inputs;
}

const std::vector<std::string> kTranslators = {"seq2seq", "bahdanau", "transformer"};

/// PyTorch's plain metadata: {"format": "pt"}. The config and the pairs must come with the request.
Opened open_plain(const std::string& model, const std::string& file) {
  const Json plain = golden("files/plain.json");
  const Json data = model == "kernel-regression" ? Json::object() : Json({{"pairs", plain.at("pairs")}});
  return {model, file_of(file), plain.at(model), data};
}

}  // namespace

TEST_CASE("files of PyTorch: each named step of a translation is PyTorch's, with a target given and without one") {
  for (const std::string& name : kTranslators) {
    const Json golden = test::golden("steps/" + name + ".json");
    const engine::ModelFile file = engine::read_model_file(file_of(name));
    for (const std::string mode : {"correct", "book"})
      for (const std::string whose : {"given", "own"}) {
        Engine describer("test");
        Opened opened(name, file_of(name), mode == "book" ? book_config(describer, name) : Json::object());
        const Reply reply = opened.run(inputs_of(golden, whose));
        const Json& want = golden.at(mode).at(whose);
        CHECK(reply.head.at("translation").at("text") == want.at("text"));
        check_steps(name + " " + mode + " " + whose, steps_of(reply), want.at("steps"), file);
      }
  }
}

TEST_CASE(
    "files of PyTorch: each named step of kernel regression is PyTorch's, from a file in float64 without metadata") {
  const Json golden = test::golden("steps/kernel_regression.json");
  const engine::ModelFile file = engine::read_model_file(file_of("kernel_regression"));
  for (const Json& run : golden.at("runs")) {
    Opened opened = open_plain("kernel-regression", "kernel_regression");
    std::map<std::string, Tensor> steps = steps_of(opened.run(run.at("inputs")));
    CHECK(largest_error(steps.at("learned.w"), file.tensors.at(0).second) == 0.0);
    check_steps("kernel regression " + run.at("inputs").dump(), std::move(steps), run.at("steps"), file);
  }
}

TEST_CASE("files of PyTorch: the gradient of the loss with respect to each named step and each weight is PyTorch's") {
  for (const std::string& name : kTranslators) {
    const Json golden = test::golden("steps/" + name + ".json");
    for (const std::string mode : {"correct", "book"}) {
      Engine describer("test");
      Opened opened(name, file_of(name), mode == "book" ? book_config(describer, name) : Json::object());
      check_gradients(name + " " + mode, gradients_of(opened.run_back(inputs_of(golden, "given"))),
                      golden.at(mode).at("given").at("gradients"));
    }
  }
}

TEST_CASE("files of PyTorch: the gradient of kernel regression's errors with respect to each named step is PyTorch's") {
  const Json golden = test::golden("steps/kernel_regression.json");
  for (const auto& [start, want] : golden.at("gradients").items()) {
    Opened opened = open_plain("kernel-regression", "kernel_regression");
    check_gradients("kernel regression, " + start, gradients_of(opened.run_back(Json::object(), start)), want);
  }
}

TEST_CASE(
    "files of PyTorch: one with PyTorch's plain metadata opens with its config and its pairs, and translates alike") {
  Opened opened = open_plain("bahdanau", "bahdanau_plain");
  const Json golden = test::golden("steps/bahdanau.json");
  const Json& want = golden.at("correct").at("own");
  check_steps("plain bahdanau", steps_of(opened.run(inputs_of(golden, "own"))), want.at("steps"),
              engine::read_model_file(file_of("bahdanau")));
}

TEST_CASE("files of PyTorch: saved again they have the same names, shapes, numbers, vocabularies and settings") {
  for (const std::string& name : kTranslators) {
    const engine::ModelFile theirs = engine::read_model_file(file_of(name));
    const engine::ModelFile ours = engine::read_model_file(Opened(name, file_of(name), Json::object()).save());
    const std::map<std::string, Tensor> kept(ours.tensors.begin(), ours.tensors.end());
    CHECK(kept.size() == theirs.tensors.size());
    for (const auto& [path, tensor] : theirs.tensors) {
      INFO(name, " ", path);
      REQUIRE(kept.contains(path));
      CHECK(largest_error(kept.at(path), tensor) == 0.0);
    }
    for (const char* key : {"format", "model"}) CHECK(ours.metadata.at(key) == theirs.metadata.at(key));
    for (const char* key : {"source_vocabulary", "target_vocabulary"})
      CHECK(Json::parse(ours.metadata.at(key)) == Json::parse(theirs.metadata.at(key)));
    const Json config = Json::parse(ours.metadata.at("config")), set = Json::parse(theirs.metadata.at("config"));
    for (const auto& [field, value] : set.items()) {
      INFO(name, " ", field);
      CHECK(config.at(field) == value);
    }
  }
}
