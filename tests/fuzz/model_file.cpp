// A file of weights: read, written again, and opened as the model that it says it is.
#include "engine/model_file.hpp"

#include <cmath>
#include <cstring>

#include "engine/engine.hpp"
#include "fuzz/target.hpp"

namespace attn::fuzz {
namespace {

using engine::Json;
using engine::ModelFile;

void check_values(const ModelFile& file) {
  for (const auto& [name, tensor] : file.tensors)
    for (const float x : tensor.values()) require(std::isfinite(x), "values are finite");
}

void check_round_trip(const ModelFile& file) {
  // A header is JSON: names that are no UTF-8 were refused by the reader, or cannot be written.
  const ModelFile again = engine::read_model_file(engine::write_model_file(file));
  require(again.metadata == file.metadata, "metadata are read as they were written");
  require(again.tensors.size() == file.tensors.size(), "as many tensors");
  for (std::size_t i = 0; i < file.tensors.size(); ++i) {
    const auto& [name, tensor] = file.tensors[i];
    require(again.tensors[i].first == name && again.tensors[i].second.shape() == tensor.shape(), "names and shapes");
    require(std::memcmp(again.tensors[i].second.data(), tensor.data(), tensor.size() * sizeof(float)) == 0, "values");
  }
}

/// Opens it, translates a sentence where it can.
void use(const ModelFile& file, std::string_view bytes) {
  const auto model = file.metadata.find("model");
  if (model == file.metadata.end()) return;
  engine::Engine engine("native");
  const Json opened = engine.call("open", {{"model", model->second}}, bytes).head;
  engine.call("run", {{"session", opened["session"]}, {"want", {"*"}}});
}

std::string run(std::string_view bytes) try {
  const ModelFile file = engine::read_model_file(bytes);
  check_values(file);
  check_round_trip(file);
  use(file, bytes);
  return "";
} catch (const Error& e) {
  return e.what();
}

std::string weights_of(const char* model, const Json& config, const char* pairs) {
  engine::Engine engine("native");
  const Json opened = engine.call("open", {{"model", model}, {"config", config}, {"data", {{"pairs", pairs}}}}).head;
  return engine.call("save", {{"session", opened["session"]}}).bytes;
}

std::vector<std::string> seeds() {
  ModelFile other;  // in shapes and names of its own
  other.metadata["format"] = "pt";
  other.tensors.emplace_back("scalar", Tensor::scalar(-0.0F));
  other.tensors.emplace_back("cube", Tensor::full({2, 1, 3}, 1e-40F));
  return {weights_of("kernel-regression", {{"n", 3}}, ""),
          weights_of("seq2seq", {{"hidden_size", 2}, {"embed_size", 2}, {"layers", 1}, {"min_frequency", 1}}, "a\tb\n"),
          engine::write_model_file(other)};
}

}  // namespace

Target model_file_target() {
  return {"model-file",
          run,
          seeds,
          {"\"F32\"",
           "\"F64\"",
           "\"F16\"",
           "\"BF16\"",
           "\"I64\"",
           "\"dtype\":",
           "\"shape\":",
           "\"data_offsets\":",
           "__metadata__",
           "[]",
           "[0,4]",
           "[1,1,1,1,1,1,1]",
           "4294967296",
           "18446744073709551615",
           "-1",
           "1e300",
           "null",
           "\\u0000",
           "\\\"",
           "\"hidden_size\":1",
           "\"layers\":8",
           "\"model\":\"bahdanau\"",
           "\"config\":\"{}\"",
           std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8),
           std::string("\x00\x00\x80\x7F", 4)}};
}

}  // namespace attn::fuzz
