#include "engine/engine.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/failure.hpp"
#include "engine/model_file.hpp"

using namespace attn;
using namespace attn::engine;

namespace {

const char* kPairs = "Go.\tVa !\nI lost.\tJ'ai perdu.\nI'm home.\tJe suis chez moi.\nRun!\tCours !\n";

struct Lab {
  Engine engine{"native"};
  int session = 0;

  explicit Lab(const char* model = "bahdanau", Json config = Json::object()) {
    Json request = {{"model", model}};
    if (std::string(model) != "kernel-regression") {
      request["data"] = {{"pairs", kPairs}};
      config.update({{"min_frequency", 1}, {"hidden_size", 6}});
      if (std::string(model) != "transformer") config["embed_size"] = 5;
    }
    request["config"] = config;
    session = call("open", request).head["session"].get<int>();
  }
  Reply call(const std::string& verb, Json request, std::string_view bytes = {}) {
    return engine.call(verb, request, bytes);
  }
  Reply run(const char* sentence, const std::vector<std::string>& want, Json more = Json::object()) {
    Json request = {{"session", session}, {"want", want}};
    if (sentence != nullptr) request["inputs"]["sentence"] = sentence;
    request.update(more);
    return call("run", request);
  }
  template <class E>
  std::string refusal(const std::string& verb, const Json& request, std::string_view bytes = {}) {
    try {
      call(verb, request, bytes);
    } catch (const E& e) {
      return e.what();
    }
    return "";
  }
};

const Json& step(const Reply& reply, const std::string& name) {
  for (const Json& s : reply.head["steps"])
    if (s["name"] == name) return s;
  throw std::runtime_error("no step " + name);
}

bool says(const std::string& message, const char* words) {
  INFO(message);
  return message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("describe: every model and lab with fields and inputs, and every model with metrics") {
  Engine engine("native");
  const Json models = engine.call("describe", {}).head["models"];
  REQUIRE(models.size() >= 3);
  for (const Json& model : models) {
    CHECK(!model["help"].get<std::string>().empty());
    CHECK((!model["metrics"].empty() || model["kind"] == "lab"));  // most labs do not train
    for (const Json& field : model["fields"]) CHECK(!field["help"].get<std::string>().empty());
  }
}

TEST_CASE("run: steps come in order, named, with axes, labels and values; loops are stacked along time") {
  Lab lab;
  const Reply reply = lab.run("I'm home.", {"*"});
  const Json& weights = step(reply, "decoder.weights");
  REQUIRE(weights["axes"].size() == 4);
  CHECK(weights["axes"][0]["name"] == "time");
  CHECK(weights["axes"][3]["name"] == "key");
  CHECK(weights["axes"][3]["labels"] == Json({"i'm", "home", ".", "<eos>"}));
  const std::size_t rows = weights["axes"][0]["size"].get<std::size_t>(), offset = weights["offset"].get<std::size_t>();
  CHECK(rows == reply.head["translation"]["target"].size());
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0.0;
    for (std::size_t key = 0; key < 4; ++key) sum += reply.data[offset + row * 4 + key];
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-6));
  }
}

TEST_CASE("run: kernel regression's queries and keys are labelled by their x, edits included") {
  Lab lab("kernel-regression", {{"n", 5}});
  const Json edit = {{"step", "data.x_train"}, {"cell", {1}}, {"value", 1.25}};
  const Reply reply = lab.run(nullptr, {"*"}, {{"edits", {edit}}});
  const Json& axes = step(reply, "fixed.weights")["axes"];
  CHECK(axes[0]["labels"][22] == "2.2");
  CHECK(axes[0]["labels"][0] == "0");
  CHECK(axes[1]["labels"][1] == "1.25");
  const Json& train = step(reply, "train.fixed.weights")["axes"];
  CHECK(train[0]["labels"] == axes[1]["labels"]);
  CHECK(!train[1].contains("labels"));  // each row leaves out another
}

TEST_CASE("run: operands are the steps that a step was computed from, laid out as it reads them") {
  Lab lab("transformer", {{"heads", 2}, {"layers", 1}, {"ffn_size", 4}});
  const Reply reply = lab.run("I'm home.", {"*"}, {{"inputs", {{"sentence", "I'm home."}, {"target", "Va !"}}}});
  const Json& context = step(reply, "encoder.0.attention.context");
  REQUIRE(context["operands"].size() == 2);
  CHECK(context["operands"][0] == Json({{"op", "masked_softmax"},
                                        {"step", "encoder.0.attention.weights"},
                                        {"axes",
                                         {{{"name", "batch"}, {"size", 1}},
                                          {{"name", "head"}, {"size", 2}},
                                          {{"name", "query"}, {"size", 4}},
                                          {{"name", "key"}, {"size", 4}}}}}));
  CHECK(context["operands"][1]["step"] == "encoder.0.attention.values");
  const Json& scores = step(reply, "encoder.0.attention.scores")["operands"];  // a scaled product, which has no name
  REQUIRE(scores.size() == 1);
  CHECK(!scores[0].contains("step"));
  CHECK(scores[0]["op"] == "matmul_transposed");
  CHECK(scores[0]["operands"][0]["step"] == "encoder.0.attention.queries");
  CHECK(scores[0]["operands"][1]["step"] == "encoder.0.attention.keys");
  for (const Json& s : reply.head["steps"])
    CHECK((s["operands"].empty() == (s["op"] == "input" || s["op"] == "parameter")));
}

TEST_CASE(
    "run: an operand that was reshaped, turned or cut keeps the names of its axes as far as they can be followed") {
  Lab lab;
  const Reply reply = lab.run("I'm home.", {"*"});
  const Json& sums = step(reply, "decoder.features")["operands"][0];  // tanh of a sum that was broadcast
  CHECK(sums["op"] == "add");
  const Json &query = sums["operands"][0], &keys = sums["operands"][1];
  CHECK(query["step"] == "decoder.query_projected");
  CHECK(query["axes"][1] == Json({{"name", "query"}, {"size", 1}}));
  CHECK(query["axes"][3] == Json({{"name", "feature"}, {"size", 6}}));
  CHECK(keys["step"] == "decoder.keys_projected");
  CHECK(keys["axes"][0] == Json({{"name", "batch"}, {"size", 1}}));
  CHECK(keys["axes"][1] == Json({{"name", "axis 1"}, {"size", 1}}));
  CHECK(keys["axes"][2] == Json({{"name", "key"}, {"size", 4}}));
}

TEST_CASE("run: numbers that were moved after they were made say on what way, with the names of their axes") {
  Lab lab("transformer", {{"heads", 2}, {"layers", 1}, {"ffn_size", 4}});
  const Reply reply = lab.run("I'm home.", {"*"});
  const auto axes = [](std::initializer_list<std::pair<const char*, int>> all) {
    Json out = Json::array();
    for (const auto& [name, size] : all) out.push_back({{"name", name}, {"size", size}});
    return out;
  };
  const Json& moves = step(reply, "encoder.0.attention.keys")["moves"];
  REQUIRE(moves.size() == 2);
  CHECK(moves[0] == Json({{"op", "linear"}, {"axes", axes({{"batch", 1}, {"key", 4}, {"feature", 6}})}}));
  CHECK(moves[1] == Json({{"op", "reshape"}, {"axes", axes({{"batch", 1}, {"key", 4}, {"head", 2}, {"feature", 3}})}}));
  CHECK(!step(reply, "encoder.0.attention.weights").contains("moves"));
  const Json& merged = step(reply, "encoder.0.attention.output")["operands"][0];  // heads side by side again
  CHECK(merged["step"] == "encoder.0.attention.context");
  CHECK(merged["axes"] == axes({{"batch", 1}, {"query", 4}, {"feature", 6}}));
}

TEST_CASE("run: operands of an edited step are those that made it before the edit") {
  Lab lab;
  const auto operands = [&](const Json& more) {
    return step(lab.run("Go.", {"*"}, more), "decoder.weights")["operands"];
  };
  const Json edit = {{"step", "decoder.weights"}, {"time", 0}, {"cell", {0, 0, 1}}, {"value", 0.5}};
  CHECK(operands({{"edits", {edit}}}) == operands(Json::object()));
}

TEST_CASE("run: masked weights bring their mask: a causal triangle, padded turns hidden, edits aside") {
  Lab lab("transformer", {{"heads", 2}, {"layers", 1}, {"ffn_size", 4}});
  const Reply reply = lab.run(nullptr, {"*"}, {{"inputs", {{"sentence", "Go."}, {"target", "Je suis chez moi."}}}});
  const Json& weights = step(reply, "decoder.0.self.weights");
  const std::size_t n = weights["axes"][3]["size"].get<std::size_t>(), at = weights["mask_offset"].get<std::size_t>();
  REQUIRE(n == 6);  // <bos> and five words
  for (std::size_t head = 0; head < 2; ++head)
    for (std::size_t query = 0; query < n; ++query)
      for (std::size_t key = 0; key < n; ++key)
        CHECK(reply.data[at + (head * n + query) * n + key] == (key <= query ? 1.0F : 0.0F));
  CHECK(!step(reply, "decoder.0.self.scores").contains("mask_offset"));
  CHECK(step(reply, "encoder.0.attention.weights").contains("mask_offset"));
}

TEST_CASE("run: a mask of steps that grow in a loop hides what a turn did not have, also where weights are edited") {
  Lab lab("transformer", {{"heads", 1}, {"layers", 1}, {"ffn_size", 4}});
  const Json edit = {{"step", "decoder.0.cross.weights"}, {"time", 0}, {"cell", {0, 0, 0, 1}}, {"value", 0.5}};
  const Reply reply = lab.run("Go.", {"*"}, {{"edits", {edit}}});
  const Json& self = step(reply, "decoder.0.self.weights");
  CHECK(self["axes"][0]["name"] == "time");
  const std::size_t turns = self["axes"][0]["size"].get<std::size_t>(), at = self["mask_offset"].get<std::size_t>();
  for (std::size_t turn = 0; turn < turns; ++turn)
    for (std::size_t key = 0; key < turns; ++key)
      CHECK(reply.data[at + turn * turns + key] == (key <= turn ? 1.0F : 0.0F));
  const Json& cross = step(reply, "decoder.0.cross.weights");
  CHECK(cross["edited"] == true);
  CHECK(cross.contains("mask_offset"));
}

TEST_CASE("run: without steps wanted nothing is recorded, and the translation is the same") {
  Lab lab;
  const Reply quick = lab.run("Go.", {}), full = lab.run("Go.", {"*"});
  CHECK(quick.data.empty());
  const Json &a = quick.head["translation"], &b = full.head["translation"];
  CHECK(a["text"] == b["text"]);
  // The fused gates and the composed ones round differently: 3e-8 measured.
  for (std::size_t i = 0; i < a["target"].size(); ++i)
    CHECK(a["target"][i]["probability"].get<double>() ==
          doctest::Approx(b["target"][i]["probability"].get<double>()).epsilon(1e-6));
}

TEST_CASE("run: a prefix and exact names are wanted") {
  Lab lab;
  const Reply reply = lab.run("Go.", {"encoder.*", "decoder.weights"});
  for (const Json& s : reply.head["steps"])
    CHECK((s["name"] == "decoder.weights" || s["name"].get<std::string>().starts_with("encoder.")));
}

TEST_CASE("run: with a target the loss is the mean over its words, and gradients come back to the embedding") {
  Lab lab;
  const Reply reply =
      lab.run("Go.", {"*"}, {{"inputs", {{"sentence", "Go."}, {"target", "Va !"}}}, {"gradients", true}});
  CHECK(reply.head["loss"].get<double>() > 0.0);
  CHECK(reply.head["translation"]["text"] == "va !");
  CHECK(step(reply, "encoder.embedding").contains("gradient_offset"));
}

TEST_CASE("explain: a context cell is the weighted sum of the values, with the numbers of the steps") {
  Lab lab;
  const Reply reply = lab.run("I'm home.", {"*"});
  const Json why =
      lab.call("explain", {{"run", reply.head["run"]}, {"step", "decoder.context"}, {"cell", {1, 0, 0, 2}}}).head;
  CHECK(why["op"] == "matmul");
  CHECK(why["kind"] == "computed");
  REQUIRE(why["expr"]["of"].size() == 4);
  double sum = 0.0;
  for (const Json& term : why["expr"]["of"])
    sum += term["of"][0]["value"].get<double>() * term["of"][1]["value"].get<double>();
  CHECK(sum == doctest::Approx(why["stored"].get<double>()).epsilon(1e-5));
  CHECK(why["expr"]["of"][2]["of"][0]["step"] == "decoder.weights");
  CHECK(why["expr"]["of"][2]["of"][0]["time"] == 1);
  CHECK(why["expr"]["of"][2]["of"][1]["step"] == "encoder.1.hidden");
}

TEST_CASE("explain: a step that only reshapes a product opens into the product") {
  Lab lab("kernel-regression");
  const Reply reply = lab.run(nullptr, {"*"});
  CHECK(step(reply, "fixed.prediction")["op"] == "matmul");
  const Json why = lab.call("explain", {{"run", reply.head["run"]}, {"step", "fixed.prediction"}, {"cell", {22}}}).head;
  CHECK(why["step"] == "fixed.prediction");
  CHECK(why["expr"]["of"].size() == 50);
  CHECK(why["expr"]["of"][3]["of"][1]["step"] == "data.y_train");
}

TEST_CASE("explain: from a probability down to an embedding entry by links alone") {
  Lab lab;
  const Reply reply = lab.run("Go.", {"*"});
  Json at = {{"run", reply.head["run"]}, {"step", "decoder.probabilities"}, {"cell", {0, 0, 4}}};
  std::vector<std::string> trail;
  for (int depth = 0; depth < 60; ++depth) {
    const Json why = lab.call("explain", at).head;
    trail.push_back(why.value("step", why["op"].get<std::string>()));
    if (!why.contains("expr")) break;
    const Json* leaf = &why["expr"];  // the last operand that was computed or is an embedding
    for (std::size_t guard = 0; leaf->contains("of") && guard < 20; ++guard)
      leaf = &(*leaf)["of"][(*leaf)["of"].size() > 1 && (*leaf)["op"] == "add" ? 0 : (*leaf)["of"].size() - 1];
    REQUIRE((*leaf)["op"] == "ref");
    at = {{"run", reply.head["run"]}, {"node", (*leaf)["node"]}, {"cell", (*leaf)["cell"]}};
  }
  CHECK(trail.size() > 2);
  CHECK(trail.back().find("weight") != std::string::npos);
}

TEST_CASE("edits: what comes after an edited step follows, what comes before does not, and the step is marked") {
  Lab lab;
  const Reply plain = lab.run("Go.", {"*"});
  const Json edit = {{{"step", "decoder.weights"}, {"time", 0}, {"values", {1.0, 0.0, 0.0}}}};
  const Reply edited = lab.run("Go.", {"*"}, {{"edits", edit}});
  const auto value = [](const Reply& r, const char* name, std::size_t i) {
    return r.data[step(r, name)["offset"].get<std::size_t>() + i];
  };
  CHECK(step(edited, "decoder.weights")["edited"] == true);
  CHECK(value(edited, "decoder.weights", 0) == 1.0F);
  CHECK(value(edited, "decoder.scores", 0) == value(plain, "decoder.scores", 0));
  CHECK(value(edited, "decoder.context", 0) == value(edited, "encoder.1.hidden", 0));
  CHECK(value(edited, "decoder.context", 0) != value(plain, "decoder.context", 0));
  const Json why =
      lab.call("explain", {{"run", edited.head["run"]}, {"step", "decoder.weights"}, {"cell", {0, 0, 0, 0}}}).head;
  CHECK(why["kind"] == "edited");
  CHECK(says(lab.refusal<ConfigError>("run", {{"session", lab.session},
                                              {"want", {"*"}},
                                              {"edits", {{{"step", "nonsense"}, {"cell", {0}}, {"value", 1}}}}}),
             "no step \"nonsense\""));
}

TEST_CASE("update: the optimiser's next step is recorded on request, and opens down to the gradient of the loss") {
  Lab lab;
  const Json inputs = {{"sentence", "Go."}, {"target", "Va !"}};
  const Reply before = lab.run("Go.", {"decoder.dense.bias"}, {{"inputs", inputs}});
  const Reply reply = lab.run("Go.", {"update.*", "decoder.dense.bias"}, {{"inputs", inputs}, {"update", true}});
  CHECK(step(reply, "decoder.dense.bias").contains("gradient_offset"));
  const Json& value = step(reply, "update.decoder.dense.bias.value");
  CHECK(value["axes"] == step(reply, "decoder.dense.bias")["axes"]);
  const auto at = [&](const Json& s) { return reply.data[s["offset"].get<std::size_t>() + 4]; };
  CHECK(at(value) != before.data[4]);
  CHECK(std::abs(at(value) - before.data[4]) <= 0.0051F);  // the first step is at most the learning rate
  Json at_cell = {{"run", reply.head["run"]}, {"step", "update.decoder.dense.bias.value"}, {"cell", {4}}};
  std::vector<std::string> trail;
  for (const char* next : {"m_hat", "m", "clipped", "gradient"}) {
    const Json why = lab.call("explain", at_cell).head;
    trail.push_back(why["step"].get<std::string>());
    at_cell["step"] = std::string("update.decoder.dense.bias.") + next;
  }
  const Json why = lab.call("explain", at_cell).head;
  CHECK(why["op"] == "gradient");
  CHECK(why["expr"]["gradient"] == true);
  CHECK(why["expr"]["step"] == "decoder.dense.bias");
  CHECK(lab.run("Go.", {"decoder.dense.bias"}, {{"inputs", inputs}}).data == before.data);  // only looked at
}

TEST_CASE("update: at an earlier moment only where the optimiser has no memory; without a loss a start is needed") {
  Lab lab;
  lab.call("train", {{"session", lab.session}, {"budget_ms", 0}});
  const Json inputs = {{"sentence", "Go."}, {"target", "Va !"}};
  const Json request = {{"session", lab.session}, {"inputs", inputs}, {"update", true}, {"at", 0.0}};
  CHECK(
      says(lab.refusal<ConfigError>("run", request), "what the optimiser remembered at an earlier moment is not kept"));
  CHECK(says(lab.refusal<ConfigError>("run", {{"session", lab.session},
                                              {"inputs", {{"sentence", "Go."}, {"evaluate", "training"}}},
                                              {"update", true}}),
             "no loss"));
  Lab regression("kernel-regression");
  regression.call("train", {{"session", regression.session}, {"budget_ms", 0}});
  const Json from = {{"step", "learned.error"}, {"cell", Json::array()}};
  const Reply then =
      regression.run(nullptr, {"update.w.*", "learned.w"}, {{"update", true}, {"from", from}, {"at", 0.0}});
  const auto number = [&then](const char* name) { return then.data[step(then, name)["offset"].get<std::size_t>()]; };
  CHECK(number("update.w.value") ==
        doctest::Approx(number("learned.w") - 0.5F * number("update.w.gradient")).epsilon(1e-6));
}

TEST_CASE("update: kernel regression's loss is what training minimises, and its update the very step that comes next") {
  for (const bool leave_one_out : {true, false}) {
    Lab lab("kernel-regression", {{"leave_one_out", leave_one_out}, {"seed", 1}, {"learning_rate", 0.02}});
    for (int epoch = 0; epoch < 2; ++epoch) {
      const Reply looked = lab.run(nullptr, {"update.w.value", "loss"}, {{"update", true}});
      const auto number = [&](const char* name) {
        return looked.data[step(looked, name)["offset"].get<std::size_t>()];
      };
      const Json progress = lab.call("train", {{"session", lab.session}, {"budget_ms", 0}}).head;
      CHECK(number("loss") == doctest::Approx(progress["history"][epoch]["squared_error"].get<double>()));
      CHECK(looked.head["loss"].get<float>() == number("loss"));
      CHECK(number("update.w.value") == lab.run(nullptr, {"learned.w"}).data[0]);
    }
  }
  Lab many("kernel-regression", {{"n", 201}});
  CHECK(!many.run(nullptr, {"learned.w"}).head.contains("loss"));
}

TEST_CASE("update: its steps can be edited, and are named among the steps of a run that has them") {
  Lab lab;
  const Json inputs = {{"sentence", "Go."}, {"target", "Va !"}};
  const Json edit = {{{"step", "update.clip"}, {"cell", Json::array()}, {"value", 0.0}}};
  const Reply still = lab.run("Go.", {"update.decoder.dense.bias.value", "decoder.dense.bias"},
                              {{"inputs", inputs}, {"update", true}, {"edits", edit}});
  const Json &bias = step(still, "decoder.dense.bias"), &value = step(still, "update.decoder.dense.bias.value");
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(still.data[value["offset"].get<std::size_t>() + i] == still.data[bias["offset"].get<std::size_t>() + i]);
  CHECK(says(lab.refusal<ConfigError>("run", {{"session", lab.session}, {"inputs", inputs}, {"edits", edit}}),
             "no step \"update.clip\""));
}

TEST_CASE("train: pausing is not asking; the same session goes on, and moments can be looked at") {
  Lab lab("bahdanau", {{"epochs", 4}});
  Json progress = lab.call("train", {{"session", lab.session}, {"budget_ms", 0}}).head;
  CHECK(progress["epoch"] == 1);  // one batch holds all four pairs
  while (progress["state"] == "training")
    progress = lab.call("train", {{"session", lab.session}, {"budget_ms", 0}}).head;
  CHECK(progress["history"].size() == 4);
  CHECK(progress["moments"].size() == 5);
  const Reply then = lab.run("Go.", {"decoder.logits"}, {{"at", 0.0}}), now = lab.run("Go.", {"decoder.logits"});
  CHECK(then.data[0] != now.data[0]);
}

TEST_CASE("save and open: a model file brings its config and vocabularies and gives the same translation") {
  Lab lab;
  const std::string file = lab.call("save", {{"session", lab.session}}).bytes;
  const Json opened = lab.call("open", {{"model", "bahdanau"}}, file).head;
  CHECK(opened["config"]["hidden_size"] == 6);
  const Json a = lab.run("I lost.", {}).head["translation"];
  const Json b =
      lab.call("run", {{"session", opened["session"]}, {"inputs", {{"sentence", "I lost."}}}}).head["translation"];
  CHECK(a == b);
}

TEST_CASE("open: a file that does not bring its config or vocabularies says what to give, and opens with them") {
  Lab lab;
  ModelFile file = read_model_file(lab.call("save", {{"session", lab.session}}).bytes);
  const Json config = Json::parse(file.metadata.at("config"));
  const auto refused = [&](const Json& more) {
    Json request = {{"model", "bahdanau"}};
    request.update(more);
    return lab.refusal<DataError>("open", request, write_model_file(file));
  };
  file.metadata.erase("source_vocabulary");
  CHECK(says(refused(Json::object()), "brings no vocabularies: give the pairs"));
  file.metadata = {{"format", "pt"}};
  CHECK(says(refused(Json::object()), "neither config nor vocabularies"));
  const Json pairs = {{"pairs", kPairs}};
  CHECK(says(refused({{"data", pairs}, {"config", {{"min_frequency", 1}}}}), "give the one that it was made with"));
  const Reply opened =
      lab.call("open", {{"model", "bahdanau"}, {"config", config}, {"data", pairs}}, write_model_file(file));
  const Json a = lab.run("I lost.", {}).head["translation"];
  CHECK(lab.call("run", {{"session", opened.head["session"]}, {"inputs", {{"sentence", "I lost."}}}})
            .head["translation"] == a);
}

TEST_CASE("load: a refused file leaves the model usable and unchanged") {
  Lab lab;
  const Json before = lab.run("Go.", {}).head["translation"];
  const std::string file = lab.call("save", {{"session", lab.session}}).bytes;
  CHECK(!lab.refusal<DataError>("load", {{"session", lab.session}}, file.substr(0, file.size() - 10)).empty());
  CHECK(!lab.refusal<DataError>("load", {{"session", lab.session}}, "something else").empty());
  Lab regression("kernel-regression");
  const std::string foreign = regression.call("save", {{"session", regression.session}}).bytes;
  CHECK(says(lab.refusal<DataError>("load", {{"session", lab.session}}, foreign), "the file has no tensor"));
  CHECK(says(lab.refusal<DataError>("open", {{"model", "bahdanau"}}, foreign), "kernel-regression"));
  CHECK(lab.run("Go.", {}).head["translation"] == before);
}

TEST_CASE("sentences: empty ones are refused; unknown words, emoji, markup and 500 words are read as they are") {
  Lab lab;
  for (const char* empty : {"", "   ", "\t\n"}) {
    const Json request = {{"session", lab.session}, {"inputs", {{"sentence", empty}}}};
    CHECK(says(lab.refusal<DataError>("run", request), "no words"));
  }
  const Json strange = lab.run("zzz 😀 <img onerror=alert(1)>", {}).head["translation"];
  CHECK(strange["source"][1]["text"] == "😀");
  CHECK(strange["source"][1]["known"] == false);
  CHECK(strange["source"][2]["text"] == "<img");
  std::string long_one;
  for (int i = 0; i < 500; ++i) long_one += "go ";
  const Json cut = lab.run(long_one.c_str(), {}).head["translation"];
  CHECK(cut["cut"] == 491);
  CHECK(cut["source"].size() == 10);
  CHECK(cut["source"].back()["text"] == "<eos>");
}

TEST_CASE("config: values outside their range and unknown fields are named, and nothing is opened") {
  Lab lab;
  const auto open = [&](const Json& config) {
    return lab.refusal<ConfigError>("open", {{"model", "bahdanau"}, {"config", config}, {"data", {{"pairs", kPairs}}}});
  };
  CHECK(says(open({{"epochs", 0}}), "epochs is a whole number from 1 to 10000, not 0"));
  CHECK(says(open({{"learning_rate", -0.1}}), "learning_rate is a number from"));
  CHECK(says(open({{"hidden_size", 0}}), "hidden_size is a whole number from 1 to 1024, not 0"));
  CHECK(says(open({{"hidden_size", 1000000}}), "not 1000000"));
  CHECK(says(open({{"hidden_size", 2.5}}), "whole number"));
  CHECK(says(open({{"dropout", "much"}}), "dropout"));
  CHECK(says(open({{"hiden_size", 3}}), "no field \"hiden_size\""));
  CHECK(says(open({{"hidden_size", 1024}, {"embed_size", 1024}, {"layers", 8}}), "million parameters"));
  CHECK(says(lab.refusal<ConfigError>("open", {{"model", "gpt"}}), "there are kernel-regression"));
  CHECK(says(lab.refusal<ConfigError>("open", {{"model", "bahdanau"}}), "needs pairs"));
}

TEST_CASE("requests: missing, wrong and closed things are named") {
  Lab lab;
  CHECK(says(lab.refusal<ConfigError>("dance", Json::object()), "no verb \"dance\""));
  CHECK(says(lab.refusal<ConfigError>("run", {{"session", 99}}), "session 99 is not open"));
  CHECK(says(lab.refusal<ConfigError>("run", Json::object()), "session"));
  CHECK(says(lab.refusal<ConfigError>("run", {{"session", "one"}}), "run: "));
  const Reply reply = lab.run("Go.", {"decoder.weights"});
  const Json run = reply.head["run"];
  CHECK(says(lab.refusal<ShapeError>("explain", {{"run", run}, {"step", "decoder.weights"}, {"cell", {99, 0, 0, 0}}}),
             "outside"));
  CHECK(says(lab.refusal<ShapeError>("explain", {{"run", run}, {"step", "decoder.weights"}, {"cell", {0, 0, 9, 0}}}),
             "outside"));
  CHECK(says(lab.refusal<ConfigError>("explain", {{"run", run}, {"step", "nothing"}, {"cell", {0}}}), "no step"));
  lab.call("close", {{"run", run}});
  CHECK(says(lab.refusal<ConfigError>("explain", {{"run", run}, {"step", "decoder.weights"}, {"cell", {0, 0, 0, 0}}}),
             "is closed"));
}

TEST_CASE("kernel regression: seed 1 learns a negative w and seed 8 starts nearly dead, as lesson 20 tells") {
  const auto trained = [](int seed) {
    Lab lab("kernel-regression", {{"seed", seed}});
    const Json progress = lab.call("train", {{"session", lab.session}, {"budget_ms", 10000}}).head;
    REQUIRE(progress["state"] == "done");
    const Reply reply = lab.run(nullptr, {"learned.w"});
    return std::pair(reply.data[0], progress["history"]);
  };
  CHECK(trained(1).first < -1.0F);
  const auto [w, history] = trained(8);
  CHECK(std::abs(w) < 0.1F);
  const double first = history.front()["squared_error"], last = history.back()["squared_error"];
  CHECK(last > 0.99 * first);
}

TEST_CASE("open: a file of pairs is told by its first pairs, by what is cut, and by the share of unknown words") {
  Engine engine("native");
  const std::string pairs =
      "no pair\nGo.\tVa !\nI go home now.\tJe vais !\nGo!\tVa !\nGo.\tVa !\nHi.\tVa .\nGo.\tVa .\n";
  const Json data = engine
                        .call("open", {{"model", "seq2seq"},
                                       {"config", {{"num_steps", 4}, {"min_frequency", 2}}},
                                       {"data", {{"pairs", pairs}}}})
                        .head["data"];
  REQUIRE(data["first"].size() == 5);
  CHECK(data["first"][0] == Json({{"line", 2}, {"source", "go ."}, {"target", "va !"}}));
  CHECK(data["first"][1]["line"] == 3);
  CHECK(data["pairs"] == 6);
  CHECK(data["cut"] == 1);
  // As it is read: go . / i go home / go ! / go . / hi . / go . ; known are go and the point.
  CHECK(data["unknown"]["source"].get<double>() == doctest::Approx(4.0 / 13));
  CHECK(data["unknown"]["target"].get<double>() == doctest::Approx(2.0 / 13));  // je vais
  const Json lab = engine.call("open", {{"model", "corpus"}, {"data", {{"pairs", pairs}}}}).head["data"];
  CHECK(lab["cut"] == 0);
  CHECK(lab["first"].size() == 5);
}

TEST_CASE("train: how long the rest will take follows from the steps so far") {
  Lab lab("bahdanau", {{"epochs", 8}});
  Json progress = lab.call("train", {{"session", lab.session}, {"budget_ms", 0}}).head;
  REQUIRE(progress["epoch"] == 1);
  CHECK(progress["left_s"].get<double>() == doctest::Approx(7.0 * progress["seconds"].get<double>()));
  progress = lab.call("train", {{"session", lab.session}, {"budget_ms", 60000}}).head;
  CHECK(progress["state"] == "done");
  CHECK(progress["left_s"] == 0.0);
}

TEST_CASE("refusals: what learners meet comes with a code and its values, what they do not without") {
  Lab lab;
  const auto told = [&](const char* verb, const Json& request) -> Json {
    try {
      lab.call(verb, request);
    } catch (const Error& e) {
      return engine::failure_json(e);
    }
    return {};
  };
  const Json range = told("run", {{"session", lab.session}, {"inputs", {{"beam_size", 99}}}});
  CHECK(range["type"] == "ConfigError");
  CHECK(range["code"] == "field.integer");
  CHECK(range["message"].get<std::string>().ends_with("beam_size is a whole number from 1 to 20, not 99"));
  CHECK(range["values"]["max"] == "20");
  CHECK(range["values"]["given"] == "99");
  const Json empty = told("run", {{"session", lab.session}, {"inputs", {{"sentence", " "}}}});
  CHECK(empty == Json({{"type", "DataError"},
                       {"message", "the sentence has no words"},
                       {"code", "sentence.empty"},
                       {"values", Json::object()}}));
  const Json closed = told("run", {{"session", 99}});
  CHECK(closed["message"] == "session 99 is not open");
  CHECK_FALSE(closed.contains("code"));
}
