#include "engine/checkpoint.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "engine/engine.hpp"
#include "engine/model_file.hpp"
#include "engine/registry.hpp"

using namespace attn;
using namespace attn::engine;

namespace {

const char* kPairs =
    "Go.\tVa !\nI lost.\tJ'ai perdu.\nI'm home.\tJe suis chez moi.\nRun!\tCours !\nWait!\tAttends !\nHi.\tSalut !\n";
constexpr int kEpochs = 4;

/// A training of one kind of model: three batches an epoch where there are pairs, and dropout.
struct Training {
  Engine engine{"native"};
  std::string model;
  int session = 0;

  explicit Training(const std::string& kind, Json config = Json::object(), const std::string& weights = "",
                    const char* pairs = kPairs)
      : model(kind) {
    Json request = {{"model", kind}};
    if (attn::engine::kind(kind).needs_pairs) request["data"] = {{"pairs", pairs}};
    if (weights.empty()) {
      Json mine = small();
      mine.update(config);
      request["config"] = mine;
    } else {
      request["config"] = config;
    }
    session = engine.call("open", request, weights).head["session"].get<int>();
  }

  /// Every kind as small as it can be, by the fields that it has.
  Json small() {
    const Json sizes = {{"hidden_size", 8}, {"embed_size", 6}, {"ffn_size", 10}, {"heads", 2},        {"layers", 2},
                        {"dropout", 0.2},   {"batch_size", 2}, {"seed", 5},      {"min_frequency", 1}};
    const Json models = engine.call("describe", {}).head["models"];
    Json out = {{"epochs", kEpochs}};
    for (const Json& m : models)
      for (const Json& field : m["fields"])
        if (m["name"] == model && sizes.contains(field["name"])) out[field["name"]] = sizes[field["name"]];
    return out;
  }
  Json train(double budget_ms) { return engine.call("train", {{"session", session}, {"budget_ms", budget_ms}}).head; }
  Json finish() {
    Json progress = train(60000);
    REQUIRE(progress["state"] == "done");
    return progress;
  }
  std::string weights() { return engine.call("save", {{"session", session}}).bytes; }
  std::string checkpoint() { return engine.call("save", {{"session", session}, {"checkpoint", true}}).bytes; }
  Json resume(const std::string& bytes) {
    return engine.call("load", {{"session", session}, {"checkpoint", true}}, bytes).head;
  }
  std::string refusal(const std::string& bytes) {
    try {
      resume(bytes);
    } catch (const DataError& e) {
      return e.what();
    }
    return "";
  }
};

std::vector<std::string> kinds_that_learn() {
  std::vector<std::string> out;
  for (const models::Kind& k : kinds())
    if (!k.is_lab) out.emplace_back(k.name);
  return out;
}

bool says(const std::string& message, const char* words) {
  INFO(message);
  return message.find(words) != std::string::npos;
}

/// A checkpoint with one string of its metadata, or one of its tensors, changed.
std::string changed(const std::string& bytes, const std::function<void(ModelFile&)>& change) {
  ModelFile file = read_safetensors(bytes);
  change(file);
  return write_model_file(file);
}

std::string with(const std::string& bytes, const char* name, const Json& value) {
  return changed(bytes, [&](ModelFile& file) { file.metadata[name] = value.dump(); });
}

Json part(const std::string& bytes, const char* name) { return Json::parse(read_safetensors(bytes).metadata.at(name)); }

std::string with_progress(const std::string& bytes, const char* name, const Json& value) {
  Json progress = part(bytes, "progress");
  progress[name] = value;
  return with(bytes, "progress", progress);
}

}  // namespace

TEST_CASE("checkpoint: a resumed run equals the uninterrupted one bit for bit, wherever it was interrupted") {
  for (const std::string& kind : kinds_that_learn()) {
    Training whole(kind);
    const Json progress = whole.finish();
    const std::string weights = whole.weights();
    for (const int batches : {0, 1, 2, 3, 5, 8}) {
      Training first(kind);
      for (int i = 0; i < batches; ++i) first.train(0);
      INFO(kind, " after ", batches, " batches");
      Training second(kind, Json::object(), first.weights());
      const Json resumed = second.resume(first.checkpoint());
      const Json stood = first.train(0);  // the first goes on as well: saving is no end
      CHECK(resumed["progress"]["history"].size() <= stood["history"].size());
      const Json ended = second.finish();
      CHECK(ended["history"] == progress["history"]);
      CHECK(second.weights() == weights);
      CHECK(first.finish()["history"] == progress["history"]);
    }
  }
}

TEST_CASE("checkpoint: a run resumed twice is the same run still") {
  Training whole("bahdanau");
  const std::string weights = (whole.finish(), whole.weights());
  auto current = std::make_unique<Training>("bahdanau");
  for (int i = 0; i < 10; ++i) {
    current->train(0);
    auto next = std::make_unique<Training>("bahdanau", Json::object(), current->weights());
    next->resume(current->checkpoint());
    current = std::move(next);
  }
  current->finish();
  CHECK(current->weights() == weights);
}

TEST_CASE("checkpoint: a finished run goes on if it is given more epochs, as if it had had them from the start") {
  Training longer("seq2seq", {{"epochs", 7}});
  const Json progress = longer.finish();
  Training first("seq2seq");
  first.finish();
  Training second("seq2seq", {{"epochs", 7}}, first.weights());
  CHECK(second.resume(first.checkpoint())["progress"]["state"] == "training");
  CHECK(second.finish()["history"] == progress["history"]);
  CHECK(second.weights() == longer.weights());
  Training third("seq2seq", Json::object(), first.weights());
  CHECK(third.resume(first.checkpoint())["progress"]["state"] == "done");
}

TEST_CASE("checkpoint: a resumed run keeps moments from there on, and its update knows the optimiser's memory") {
  Training first("bahdanau");
  for (int i = 0; i < 5; ++i) first.train(0);
  Training second("bahdanau", Json::object(), first.weights());
  const Json progress = second.resume(first.checkpoint())["progress"];
  CHECK(progress["epoch"] == 1);
  CHECK(progress["batch"] == 2);
  CHECK(progress["moments"] == Json({1.0 + 2.0 / 3.0}));
  const auto update = [](Training& t) {
    return t.engine.call("run", {{"session", t.session},
                                 {"inputs", {{"sentence", "Go."}, {"target", "Va !"}}},
                                 {"want", {"update.*"}},
                                 {"update", true}});
  };
  const Reply before = update(first), after = update(second);
  CHECK(before.data == after.data);
  CHECK(before.data.size() > 100);
  CHECK(second.train(0)["tokens"] == first.train(0)["tokens"]);
}

TEST_CASE("checkpoint: weights, config, pairs or model of another run are refused by name, and nothing is changed") {
  Training first("bahdanau");
  for (int i = 0; i < 4; ++i) first.train(0);
  const std::string weights = first.weights(), checkpoint = first.checkpoint();
  first.train(0);
  CHECK(says(first.refusal(checkpoint), "belongs to other weights"));
  Training same("bahdanau", Json::object(), weights);
  CHECK(same.refusal(checkpoint).empty());
  Training other("bahdanau", {{"learning_rate", 0.01}}, weights);
  CHECK(says(other.refusal(checkpoint), "made with another learning_rate: 0.005, here it is 0.01"));
  Training translated("bahdanau", Json::object(), weights,
                      "Go.\tVa !\nI lost.\tJ'ai perdu.\nRun!\tJe suis chez moi.\nHi.\tSalut !\n");
  CHECK(says(translated.refusal(checkpoint), "made with other pairs"));
  Training fewer("bahdanau", {{"epochs", 1}}, weights);
  CHECK(says(fewer.refusal(checkpoint), "epoch 1, batch 1; this training has 1 epochs of 3 batches"));
  Training seq2seq("seq2seq");
  CHECK(says(seq2seq.refusal(checkpoint), "of a bahdanau, not of a seq2seq"));
  CHECK(says(same.refusal(weights), "a file of weights alone does not say how to go on"));
  Engine engine("native");
  CHECK_THROWS_WITH_AS(engine.call("open", {{"model", "bahdanau"}}, checkpoint),
                       "this is no usable file of weights: it is a checkpoint, which goes with a file of weights; give "
                       "that one first",
                       DataError);
  // After all these refusals the run goes on as if it had never been asked.
  Training whole("bahdanau");
  CHECK(first.finish()["history"] == whole.finish()["history"]);
}

TEST_CASE("checkpoint: cut off anywhere it is refused") {
  Training first("kernel-regression"), second("seq2seq");
  second.train(0);
  const std::string plain = first.checkpoint(), bytes = second.checkpoint();
  CHECK(first.refusal(plain).empty());
  for (std::size_t size = 0; size < plain.size(); ++size) CHECK(!first.refusal(plain.substr(0, size)).empty());
  for (std::size_t size = 0; size < bytes.size(); size += 997) CHECK(!second.refusal(bytes.substr(0, size)).empty());
}

TEST_CASE("checkpoint: every field is checked, by name") {
  Training run("bahdanau");
  for (int i = 0; i < 4; ++i) run.train(0);
  const std::string good = run.checkpoint();
  const auto refused = [&](const std::string& bytes, const char* words) { CHECK(says(run.refusal(bytes), words)); };
  const auto progress = [&](const char* name, const Json& value, const char* words) {
    refused(with_progress(good, name, value), words);
  };
  progress("epoch", -1, "epoch is no whole number");
  progress("epoch", 1e300, "epoch is no whole number");
  progress("epoch", kEpochs + 1, "stands at epoch 5");
  progress("epoch", 2, "history has not an entry an epoch");
  progress("batch", 3, "batch 3");
  progress("batch", 2, "optimiser made 4 steps");
  progress("loss", "much", "loss is no number");
  progress("loss", nullptr, "loss is no number");
  progress("items", -1.0, "negative count");
  progress("seconds", -1.0, "negative count");
  progress("history", 3, "history is no list");
  Training begun("bahdanau");
  CHECK(says(begun.refusal(with_progress(begun.checkpoint(), "items", 3.0)), "has a loss of it already"));
  progress("history", {3}, "an entry of its history is no object");
  progress("history", {{{"loss_per_token", "small"}}}, "history is no number");
  refused(with(good, "progress", 3), "has no epoch");

  Json rng = part(good, "rng");
  rng["state"] = -1;
  refused(with(good, "rng", rng), "state is no whole number");
  rng = part(good, "rng");
  rng["spare"] = 1e30;
  refused(with(good, "rng", rng), "spare is no normal number");
  rng["has_spare"] = 1;
  refused(with(good, "rng", rng), "has_spare");

  Json order = part(good, "order");
  REQUIRE(order.size() == 6);
  order[0] = order[1];
  refused(with(good, "order", order), "no permutation");
  order[0] = 6;
  refused(with(good, "order", order), "no permutation");
  order[0] = -1;
  refused(with(good, "order", order), "order is no whole number");
  refused(with(good, "order", Json::array()), "order has 0 examples, the data have 6");

  refused(with(good, "steps", 3), "optimiser made 3 steps");
  refused(with(good, "steps", "three"), "number of steps is no whole number");
  refused(with(good, "checkpoint", 2), "version");
  refused(changed(good, [](ModelFile& f) { f.metadata.erase("rng"); }), "has no rng");
  refused(changed(good, [](ModelFile& f) { f.metadata["order"] = "[1,"; }), "order is no JSON");
  refused(changed(good, [](ModelFile& f) { f.metadata["config"] = "[]"; }), "config is no object");
  refused(changed(good, [](ModelFile& f) { f.tensors.pop_back(); }), "optimiser has no v.");
  refused(changed(good, [](ModelFile& f) { f.tensors.emplace_back("extra", Tensor::scalar(1.0F)); }),
          "optimiser has extra, which is not known");
  refused(changed(good,
                  [](ModelFile& f) {
                    auto& [name, tensor] = f.tensors.front();
                    tensor = tensor.reshaped({tensor.size(), 1});
                  }),
          "has shape");
  refused(changed(good,
                  [](ModelFile& f) {
                    auto& [name, tensor] = f.tensors.back();
                    REQUIRE(name.starts_with("v."));
                    tensor = Tensor::full(tensor.shape(), -1.0F);
                  }),
          "mean of squares under 0");
  CHECK(run.refusal(good).empty());
  Training whole("bahdanau");
  CHECK(run.finish()["history"] == whole.finish()["history"]);
}

TEST_CASE("checkpoint: what cannot learn has none, and a run that diverged cannot go on") {
  Training learned("bahdanau");
  Engine engine("native");
  const int session = engine.call("open", {{"model", "bahdanau"}}, learned.weights()).head["session"].get<int>();
  CHECK_THROWS_AS(engine.call("save", {{"session", session}, {"checkpoint", true}}), ConfigError);
  Training wild("kernel-regression", {{"noise", 10.0}, {"learning_rate", 10.0}, {"epochs", 10000}});
  const std::string huge =
      changed(wild.weights(), [](ModelFile& f) { f.tensors.front().second = Tensor::full({1}, 3e38F); });
  wild.engine.call("load", {{"session", wild.session}}, huge);
  REQUIRE(wild.train(2000)["state"] == "diverged");
  CHECK_THROWS_AS(wild.checkpoint(), ConfigError);
}

TEST_CASE("checksum: FNV-1a's published values") {
  const auto sum = [](const char* text) {
    Checksum out;
    out.add(text);
    return out.str();
  };
  CHECK(sum("") == "cbf29ce484222325");
  CHECK(sum("a") == "af63dc4c8601ec8c");
  CHECK(sum("foobar") == "85944171f73967e8");
}
