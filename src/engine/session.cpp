#include "engine/session.hpp"

#include <algorithm>

#include "engine/checkpoint.hpp"
#include "tensor/refusal.hpp"
#include "train/update.hpp"

namespace attn::engine {
namespace {

std::vector<std::string> words(const std::string& json, const char* name) {
  const Json list = Json::parse(json, nullptr, false);
  if (!list.is_array() || !std::ranges::all_of(list, [](const Json& w) { return w.is_string(); }))
    throw DataError(std::string("the file's ") + name + " is no list of words");
  return list.get<std::vector<std::string>>();
}

/// The vocabularies of a file, if it has them.
std::optional<models::Vocabularies> vocabularies_of(const ModelFile& file) {
  const auto source = file.metadata.find("source_vocabulary"), target = file.metadata.find("target_vocabulary");
  if (source == file.metadata.end() || target == file.metadata.end()) return std::nullopt;
  return models::Vocabularies{text::Vocabulary(words(source->second, "source_vocabulary")),
                              text::Vocabulary(words(target->second, "target_vocabulary"))};
}

/// The file's config, with what the request sets on top.
Json merged_config(const models::Kind& kind, const ModelFile& file, const Json& requested) {
  if (const auto model = file.metadata.find("model"); model != file.metadata.end() && model->second != kind.name)
    throw refused<DataError>("file.model", "the file holds weights of a {model}, not of a {wanted}",
                             {{"model", model->second}, {"wanted", kind.name}});
  Json config = Json::object();
  if (const auto stored = file.metadata.find("config"); stored != file.metadata.end()) {
    config = Json::parse(stored->second, nullptr, false);
    if (!config.is_object()) throw DataError("the file's config is no JSON object");
  }
  if (requested.is_object()) config.update(requested);
  return config;
}

std::optional<std::string> pairs_of(const Json& data) {
  if (!data.is_object() || !data.contains("pairs")) return std::nullopt;
  if (!data["pairs"].is_string()) throw ConfigError("open: data.pairs is the text of a file of pairs");
  return data["pairs"].get<std::string>();
}

/// The first few as they are read, words with a space between.
Json first_pairs(const text::Pairs& pairs) {
  constexpr std::size_t kFirst = 5;
  const auto joined = [](const text::Tokens& tokens) {
    std::string out;
    for (const std::string& token : tokens) out += (out.empty() ? "" : " ") + token;
    return out;
  };
  Json out = Json::array();
  for (std::size_t i = 0; i < std::min(kFirst, pairs.pairs.size()); ++i) {
    const text::Pair& pair = pairs.pairs[i];
    out.push_back({{"line", pair.line}, {"source", joined(pair.source)}, {"target", joined(pair.target)}});
  }
  return out;
}

/// Seconds to the end at the mean speed so far; none before the first step.
std::optional<double> seconds_left(const train::Progress& p, int epochs, std::size_t batches) {
  const auto steps = [batches](double epoch, std::size_t batch) {
    return epoch * static_cast<double>(batches) + static_cast<double>(batch);
  };
  const double done = steps(p.epoch, p.batch);
  if (p.state == train::Progress::State::done) return 0.0;
  if (done == 0.0 || p.state == train::Progress::State::diverged) return std::nullopt;
  return p.seconds / done * (steps(epochs, 0) - done);
}

}  // namespace

Session::Session(const models::Kind& kind, const Json& config, const Json& data, std::string_view weights)
    : kind_(kind) {
  const ModelFile file = weights.empty() ? ModelFile() : read_model_file(weights);
  const Json values = merged_config(kind, file, config);
  FieldReader reader(values, std::string("config of ") + kind.name);
  models::Opening opening{pairs_of(data), vocabularies_of(file)};
  if (!weights.empty() && kind.needs_pairs && !opening.vocabularies && !opening.pairs)
    throw DataError(file.metadata.contains("config")
                        ? "the file brings no vocabularies: give the pairs that it was trained on"
                        : "the file brings neither config nor vocabularies: give the config and the pairs that it was "
                          "trained with");
  model_ = kind.open(reader, std::move(opening));
  reader.finish();
  if (!weights.empty()) assign(file);
}

Json Session::config() {
  FieldWriter writer;
  model_->config(writer);
  return writer.values;
}

Json Session::opened() {
  std::size_t count = 0;
  for (const Parameter* p : model_->parameters()) count += p->value.size();
  Json out = {{"config", config()}, {"parameters", count}};
  if (const auto* v = model_->vocabularies())
    out["vocabularies"] = {{"source", v->source.size()}, {"target", v->target.size()}};
  out["attention"] = Json::array();
  for (const models::AttentionStep& a : model_->attention())
    out["attention"].push_back({{"step", a.step}, {"use", a.use}, {"layer", a.layer}});
  if (const text::Pairs* pairs = model_->pairs()) {
    Json bad = Json::array();
    for (const auto& line : pairs->bad_lines)
      bad.push_back(
          {{"line", line.line}, {"reason", line.reason}, {"code", line.why.code}, {"values", line.why.values}});
    const train::Task* task = model_->task();  // none, if it is a lab that only looks at them
    const models::Reading reading = model_->reading();
    out["data"] = {{"pairs", pairs->pairs.size()},
                   {"batches", task == nullptr ? 0 : task->batches()},
                   {"bad_lines", bad},
                   {"bad_line_count", pairs->bad_line_count},
                   {"first", first_pairs(*pairs)},
                   {"cut", reading.cut},
                   {"unknown", {{"source", reading.unknown_source}, {"target", reading.unknown_target}}}};
  }
  return out;
}

std::unique_ptr<train::Trainer> Session::new_trainer() {
  train::Task* task = model_->task();
  if (task == nullptr) throw ConfigError(std::string("train: this ") + kind_.name + " has no pairs to learn from");
  return std::make_unique<train::Trainer>(*task, model_->parameters(), model_->optimizer(model_->parameters()),
                                          model_->settings());
}

train::Trainer& Session::trained() {
  if (!trainer_) trainer_ = new_trainer();
  return *trainer_;
}

Json Session::train(double budget_ms) {
  trained().advance(budget_ms);
  return progress();
}

Json Session::progress() {
  const train::Progress& p = trained().progress();
  Json history = Json::array();
  for (std::size_t i = 0; i < p.history.size(); ++i) {
    Json entry = p.history[i];
    entry["epoch"] = i + 1;
    history.push_back(std::move(entry));
  }
  static constexpr const char* kStates[] = {"training", "done", "diverged"};
  Json out = {{"state", kStates[static_cast<int>(p.state)]},
              {"epoch", p.epoch},
              {"epochs", model_->settings().epochs},
              {"batch", p.batch},
              {"batches", model_->task()->batches()},
              {"history", history},
              {"tokens_per_s", p.tokens_per_s},
              {"tokens", p.tokens},
              {"seconds", p.seconds},
              {"moments", trainer_->moments().epochs()}};
  if (const auto left = seconds_left(p, model_->settings().epochs, model_->task()->batches())) out["left_s"] = *left;
  if (!p.message.empty()) out.update({{"message", p.message}, {"code", p.why.code}, {"values", p.why.values}});
  return out;
}

void Session::record_update(Graph& graph, bool earlier) {
  const std::unique_ptr<train::Optimizer> fresh = trainer_ ? nullptr : model_->optimizer(model_->parameters());
  const train::Optimizer* optimizer = trainer_ ? &trainer_->optimizer() : fresh.get();
  if (optimizer == nullptr) throw ConfigError(std::string("run: a ") + kind_.name + " does not learn: no update");
  if (earlier && optimizer->remembers())
    throw ConfigError("run: what the optimiser remembered at an earlier moment is not kept; leave out update or at");
  train::record_update(graph, *optimizer, model_->settings().clip);
}

std::string Session::save() {
  ModelFile file;
  file.metadata = {{"format", "pt"}, {"model", kind_.name}, {"config", config().dump()}};
  if (const auto* v = model_->vocabularies()) {
    file.metadata["source_vocabulary"] = Json(v->source.words()).dump();
    file.metadata["target_vocabulary"] = Json(v->target.words()).dump();
  }
  for (const Parameter* p : model_->parameters()) file.tensors.emplace_back(p->name, p->value);
  return write_model_file(file);
}

void Session::load(std::string_view weights) {
  const ModelFile file = read_model_file(weights);
  if (const auto found = vocabularies_of(file); found && model_->vocabularies())
    if (found->source.words() != model_->vocabularies()->source.words() ||
        found->target.words() != model_->vocabularies()->target.words())
      throw refused<DataError>("file.vocabularies", "the file's vocabularies are not those of this model");
  assign(file);
}

void Session::assign(const ModelFile& file) {
  const char* hint = file.metadata.contains("config")
                         ? ""
                         : "; the file does not bring its config: give the one that it was made with";
  std::map<std::string, const Tensor*> tensors;
  for (const auto& [name, tensor] : file.tensors) tensors[name] = &tensor;
  const std::vector<Parameter*> parameters = model_->parameters();
  for (const Parameter* p : parameters) {
    const auto found = tensors.find(p->name);
    if (found == tensors.end()) throw DataError("the file has no tensor " + p->name + hint);
    if (found->second->shape() != p->value.shape())
      throw DataError("tensor " + p->name + " has shape " + found->second->shape().str() + ", this model needs " +
                      p->value.shape().str() + hint);
  }
  if (tensors.size() != parameters.size()) {
    for (const Parameter* p : parameters) tensors.erase(p->name);
    throw DataError("the file has a tensor that this model does not know: " + tensors.begin()->first + hint);
  }
  for (Parameter* p : parameters) p->value = tensors[p->name]->copy();
}

// ---- checkpoints

std::string Session::weights_checksum() {
  Checksum sum;
  for (const Parameter* p : model_->parameters()) {
    sum.add(p->name);
    sum.add(p->value);
  }
  return sum.str();
}

std::string Session::data_checksum() {
  Checksum sum;
  if (const text::Pairs* pairs = model_->pairs())
    for (const text::Pair& pair : pairs->pairs)
      for (const text::Tokens* tokens : {&pair.source, &pair.target}) {
        for (const std::string& token : *tokens) sum.add(token + " ");
        sum.add("\n");
      }
  return sum.str();
}

std::string Session::save_checkpoint() {
  return write_checkpoint({kind_.name, config(), weights_checksum(), data_checksum(), trained().snapshot()});
}

void Session::check_same_run(const Checkpoint& c) {
  if (c.model != kind_.name)
    throw refused<DataError>("checkpoint.model", "the checkpoint is of a {model}, not of a {wanted}",
                             {{"model", c.model}, {"wanted", kind_.name}});
  const Json mine = config();
  for (const auto& [name, value] : c.config.items())
    if (name != "epochs" && (!mine.contains(name) || mine[name] != value))
      throw DataError("the checkpoint was made with another " + name + ": " + shown(value) +
                      (mine.contains(name) ? ", here it is " + shown(mine[name]) : ""));
  if (c.data != data_checksum())
    throw refused<DataError>("checkpoint.pairs", "the checkpoint was made with other pairs");
  if (c.weights != weights_checksum())
    throw refused<DataError>(
        "checkpoint.weights",
        "the checkpoint belongs to other weights than those of this session; load its file of weights first");
}

void Session::load_checkpoint(std::string_view bytes) {
  const Checkpoint checkpoint = read_checkpoint(bytes);
  std::unique_ptr<train::Trainer> fresh = new_trainer();
  check_same_run(checkpoint);
  try {
    fresh->restore(checkpoint.training);
  } catch (const DataError& e) {
    throw DataError(std::string("the checkpoint does not fit this training: ") + e.what());
  }
  trainer_ = std::move(fresh);
}

}  // namespace attn::engine
