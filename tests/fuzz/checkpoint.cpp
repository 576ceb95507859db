// A checkpoint, loaded into the session that it belongs to, which must be able to go on.
#include "engine/checkpoint.hpp"

#include "engine/engine.hpp"
#include "fuzz/target.hpp"

namespace attn::fuzz {
namespace {

using engine::Engine;
using engine::Json;

/// A training that has just begun, with its weights.
struct Training {
  Engine engine{"native"};
  Json session;
  std::string weights;

  Training(const char* model, const Json& config, int batches) {
    const Json request = {{"model", model}, {"config", config}, {"data", {{"pairs", "a b\tc\nd\te f\ng\th\n"}}}};
    session = engine.call("open", request).head["session"];
    for (int i = 0; i < batches; ++i) engine.call("train", {{"session", session}, {"budget_ms", 0}});
    weights = engine.call("save", {{"session", session}}).bytes;
  }
  std::string checkpoint() { return engine.call("save", {{"session", session}, {"checkpoint", true}}).bytes; }

  /// What refuses the bytes, or "" after a batch of the training that goes on from them.
  std::string load(std::string_view bytes) try {
    const Json head = engine.call("load", {{"session", session}, {"checkpoint", true}}, bytes).head;
    const Json& progress = head["progress"];
    require(progress["epoch"] <= progress["epochs"] && progress["batch"] < progress["batches"], "it stands in the run");
    engine.call("train", {{"session", session}, {"budget_ms", 0}});
    engine.call("load", {{"session", session}}, weights);
    return "";
  } catch (const DataError& e) {
    return e.what();
  }
};

Training new_translator() {
  const Json config = {{"hidden_size", 2},   {"embed_size", 2}, {"layers", 1},
                       {"min_frequency", 1}, {"batch_size", 2}, {"epochs", 9}};
  return {"seq2seq", config, 3};
}
Training new_regression() { return {"kernel-regression", {{"n", 3}}, 2}; }

Training& translator() {
  static Training training = new_translator();
  return training;
}

Training& regression() {
  static Training training = new_regression();
  return training;
}

std::string run(std::string_view bytes) {
  const std::string one = translator().load(bytes);
  if (one.empty()) return "";
  const std::string other = regression().load(bytes);
  return other.empty() ? "" : one + other;
}

std::vector<std::string> seeds() { return {new_translator().checkpoint(), new_regression().checkpoint()}; }

}  // namespace

Target checkpoint_target() {
  return {"checkpoint",
          run,
          seeds,
          {"\\\"epoch\\\":", "\\\"batch\\\":", "\\\"history\\\":", "\\\"state\\\":", "\\\"spare\\\":",
           "\"order\":\"[0,1,2]\"", "\"order\":\"[]\"", "\"steps\":\"", "null", "1e300", "-1", "18446744073709551615",
           "2147483648", "[]", "{}", "\"F16\"", "\"checkpoint\":\"1\"", "m.", "v."}};
}

}  // namespace attn::fuzz
