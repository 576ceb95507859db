#include "cli/commands.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "cli/arguments.hpp"
#include "engine/engine.hpp"
#include "text/bleu.hpp"
#include "text/preprocess.hpp"

namespace attn::cli {
namespace {

using engine::Engine;
using engine::Json;
using engine::Reply;
using Words = std::vector<std::string>;

constexpr const char* kUsage = R"(attn: attention models that can be looked into

  attn describe [MODEL]                     models, their fields, inputs and metrics, as JSON
  attn run MODEL [--config k=v]… [--weights F] [--pairs F] [--input F.json] --want STEP…
                                            steps of one computation, as JSON (names, "decoder.*", or "*")
  attn train MODEL --pairs F [--examples N] [--epochs N] [--seed N] [--book] [--config k=v]…
                   [--check "src=tgt"]… --out F.safetensors [--checkpoint F] [--resume F [--weights F]]
                                            progress on stderr, one JSON line at the end. --checkpoint is written
                                            beside the weights at the end, or when Ctrl-C ends it early; --resume goes
                                            on from one, with the weights in --out if no others are named
  attn translate F.safetensors SENTENCE…    one line a sentence
)";

void print(const Json& json, int indent = -1) {
  std::cout << json.dump(indent, ' ', false, Json::error_handler_t::replace) << "\n";
}

int describe(const Arguments& arguments) {
  const Json all = Engine("native").call("describe", {}).head;
  if (arguments.others.empty()) return print(all, 2), 0;
  for (const Json& model : all["models"])
    if (model["name"] == arguments.others[0]) return print(model, 2), 0;
  throw ConfigError("there is no model \"" + arguments.others[0] + "\"; `attn describe` lists them");
}

/// Values of a step as nested lists, as its axes have them.
Json nested(const float*& next, const Json& axes, std::size_t axis) {
  if (axis == axes.size()) return *next++;
  Json out = Json::array();
  for (std::size_t i = 0; i < axes[axis]["size"].get<std::size_t>(); ++i) out.push_back(nested(next, axes, axis + 1));
  return out;
}

std::string model_of(const Arguments& arguments, const char* command) {
  if (arguments.others.empty()) throw ConfigError(std::string(command) + ": which model? `attn describe` lists them");
  return arguments.others[0];
}

int run_model(const Arguments& arguments) {
  Words want = arguments.values("want");
  want.insert(
      want.end(),
      arguments.others.begin() + std::min<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(arguments.others.size())),
      arguments.others.end());
  if (want.empty()) throw ConfigError("run: --want names the steps to show (\"*\" for all)");
  Engine engine("native");
  Json open = {{"model", model_of(arguments, "run")}, {"config", assignments(arguments.values("config"))}};
  if (!arguments.value("pairs").empty()) open["data"]["pairs"] = read_file(arguments.value("pairs"));
  const std::string weights = arguments.value("weights");
  const Json opened = engine.call("open", open, weights.empty() ? "" : read_file(weights)).head;
  Json request = {{"session", opened["session"]}, {"want", want}};
  const std::string input = arguments.value("input");
  if (!input.empty()) request["inputs"] = engine::parse(read_file(input));
  Reply reply = engine.call("run", request);
  if (reply.head["steps"].empty()) throw ConfigError("run: no step is named so; --want \"*\" shows all");
  for (Json& step : reply.head["steps"]) {
    const float* next = reply.data.data() + step["offset"].get<std::size_t>();
    step["values"] = nested(next, step["axes"], 0);
    step.erase("offset");
  }
  print(reply.head);
  return 0;
}

// ---- train

Json train_config(const Arguments& arguments, const std::string& model) {
  Json config = assignments(arguments.values("config"));
  const std::vector<std::pair<const char*, const char*>> shortcuts = {
      {"epochs", "epochs"}, {"seed", "seed"}, {"examples", "examples"}};
  for (const auto& [option, field] : shortcuts)
    if (!arguments.value(option).empty())
      config.update(assignments({std::string(field) + "=" + arguments.value(option)}));
  if (!arguments.flag("book")) return config;
  const Json all = Engine("native").call("describe", {}).head;
  for (const Json& kind : all["models"])  // every switch of the book's faults
    if (kind["name"] == model)
      for (const Json& field : kind["fields"])
        if (field["name"].get<std::string>().starts_with("book_")) config[field["name"].get<std::string>()] = true;
  return config;
}

void show_progress(const Json& p, bool last) {
  const Json latest = p["history"].empty() ? Json::object() : p["history"].back();
  std::string line = "epoch " + std::to_string(p["epoch"].get<int>()) + " of " + std::to_string(p["epochs"].get<int>());
  for (const auto& [name, value] : latest.items())
    if (name != "epoch") line += "  " + name + " " + std::to_string(value.get<double>());
  line += "  " + std::to_string(static_cast<long>(p["tokens_per_s"].get<double>())) + " tokens/s";
  std::fprintf(stderr, "\r\033[K%s%s", line.c_str(), last ? "\n" : "");
}

/// "src=tgt" -> what the model says, and its BLEU against tgt.
Json check(Engine& engine, const Json& session, const std::string& pair) {
  const std::size_t equals = pair.find('=');
  if (equals == std::string::npos) throw ConfigError("--check \"" + pair + "\" is not of the form source=target");
  const std::string source = pair.substr(0, equals), target = text::preprocess_typed(pair.substr(equals + 1));
  const Json run = engine.call("run", {{"session", session}, {"inputs", {{"sentence", source}}}}).head;
  const auto said = run["translation"]["text"].get<std::string>();
  return {{"source", source},
          {"target", target},
          {"translation", said},
          {"bleu", text::bleu(text::split(said), text::split(target))}};
}

volatile std::sig_atomic_t interrupted = 0;

/// Opens the model to train: fresh, or where a checkpoint stands.
Json open_training(Engine& engine, const Arguments& arguments, const std::string& model) {
  const std::string resume = arguments.value("resume");
  if (resume.empty() && !arguments.value("weights").empty())
    throw ConfigError("train: --weights are those of a checkpoint; --resume names it");
  Json open = {{"model", model}, {"config", train_config(arguments, model)}};
  if (!arguments.value("pairs").empty()) open["data"]["pairs"] = read_file(arguments.value("pairs"));
  if (resume.empty()) return engine.call("open", open).head;
  const std::string weights = read_file(arguments.value("weights", arguments.required("out")));
  Json opened = engine.call("open", open, weights).head;
  engine.call("load", {{"session", opened["session"]}, {"checkpoint", true}}, read_file(resume));
  return opened;
}

/// Trains to the end, or until Ctrl-C where a checkpoint can be written.
Json advance(Engine& engine, const Json& session) {
  Json progress;
  do {
    progress = engine.call("train", {{"session", session}, {"budget_ms", 500}}).head;
    show_progress(progress, progress["state"] != "training" || interrupted != 0);
  } while (progress["state"] == "training" && interrupted == 0);
  if (progress["state"] == "diverged") throw Error(progress["message"].get<std::string>());
  return progress;
}

Json train_result(const Json& opened, const Json& progress) {
  Json line = {{"parameters", opened["parameters"]}, {"epochs", progress["epoch"]}};
  if (opened.contains("vocabularies")) line["vocabularies"] = opened["vocabularies"];
  if (opened.contains("data")) line["pairs"] = opened["data"]["pairs"];
  if (!progress["history"].empty()) line.update(progress["history"].back());
  line.erase("epoch");
  const double tokens = progress["tokens"].get<double>(), seconds = progress["seconds"].get<double>();
  line["seconds"] = seconds;
  if (tokens > 0.0) line["tokens_per_s"] = tokens / seconds;
  return line;
}

/// What the finished model can do: on its own pairs outside training (dropout off), and on those to check.
void measure(Json& line, Engine& engine, const Json& opened, const Words& pairs) {
  const Json& session = opened["session"];
  if (opened.contains("data"))
    line["evaluation"] =
        engine.call("run", {{"session", session}, {"inputs", {{"evaluate", "training"}}}}).head["metrics"];
  double total = 0.0;
  for (const std::string& pair : pairs) {
    line["checks"].push_back(check(engine, session, pair));
    total += line["checks"].back()["bleu"].get<double>();
  }
  if (!pairs.empty()) line["bleu"] = total / static_cast<double>(pairs.size());
}

int train(const Arguments& arguments) {
  const std::string model = model_of(arguments, "train"), out = arguments.required("out");
  const std::string checkpoint = arguments.value("checkpoint");
  for (const std::string& pair : arguments.values("check"))
    if (pair.find('=') == std::string::npos)
      throw ConfigError("--check \"" + pair + "\" is not of the form source=target");
  Engine engine("native");
  const Json opened = open_training(engine, arguments, model), session = opened["session"];
  if (opened.contains("data"))
    for (const Json& bad : opened["data"]["bad_lines"])
      std::cerr << arguments.value("pairs") << ":" << bad["line"] << ": " << bad["reason"].get<std::string>() << "\n";
  if (!checkpoint.empty()) std::signal(SIGINT, [](int) { interrupted = 1; });
  const Json progress = advance(engine, session);
  write_file(out, engine.call("save", {{"session", session}}).bytes);
  if (!checkpoint.empty())
    write_file(checkpoint, engine.call("save", {{"session", session}, {"checkpoint", true}}).bytes);
  Json line = train_result(opened, progress);
  line.update({{"model", model}, {"out", out}});
  if (interrupted == 0) measure(line, engine, opened, arguments.values("check"));
  print(line);
  return interrupted == 0 ? 0 : 130;  // as a shell says that Ctrl-C ended it
}

int translate(const Arguments& arguments) {
  if (arguments.others.size() < 2)
    throw ConfigError("translate: a file of weights and at least one sentence are needed");
  const std::string weights = read_file(arguments.others[0]);
  const engine::ModelFile file = engine::read_model_file(weights);
  const auto model = file.metadata.find("model");
  if (model == file.metadata.end()) throw DataError("translate: the file does not say which model it is");
  Engine engine("native");
  const Json opened = engine.call("open", {{"model", model->second}}, weights).head;
  for (std::size_t i = 1; i < arguments.others.size(); ++i) {
    const Json run =
        engine.call("run", {{"session", opened["session"]}, {"inputs", {{"sentence", arguments.others[i]}}}}).head;
    std::cout << run["translation"]["text"].get<std::string>() << "\n";
  }
  return 0;
}

}  // namespace

int run(const Words& words) {
  const std::string command = words.empty() ? "" : words[0];
  const Words rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  if (command == "describe") return describe({rest, {}, {}});
  if (command == "run") return run_model({rest, {"config", "weights", "pairs", "input", "want"}, {}});
  if (command == "train")
    return train({rest,
                  {"pairs", "examples", "epochs", "seed", "config", "check", "out", "checkpoint", "resume", "weights"},
                  {"book"}});
  if (command == "translate") return translate({rest, {}, {}});
  if (command == "help" || command == "--help" || command == "-h") return std::cout << kUsage, 0;
  if (command.empty()) return std::cerr << kUsage, 2;
  throw ConfigError("there is no command \"" + command + "\"; attn --help lists them");
}

}  // namespace attn::cli
