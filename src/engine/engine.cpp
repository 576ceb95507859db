#include "engine/engine.hpp"

#include <algorithm>

#include "engine/derive.hpp"
#include "engine/explain.hpp"
#include "engine/gpu.hpp"
#include "engine/operands.hpp"
#include "engine/registry.hpp"
#include "kernels/webgpu/device.hpp"

#ifndef ATTN_VERSION
#define ATTN_VERSION "0.1.0"
#endif

namespace attn::engine {
namespace {

constexpr std::size_t kMaxSessions = 128;  // of a lesson with all its blocks at once, twice
constexpr std::size_t kMaxRuns = 128;      // older ones are closed

Json describe_kind(const models::Kind& kind) {
  const auto model = kind.describe();
  FieldDescriber config, inputs;
  model->config(config);
  model->inputs(inputs);
  return {{"name", kind.name},
          {"kind", kind.is_lab ? "lab" : "model"},
          {"help", kind.help},
          {"fields", config.fields},
          {"inputs", inputs.fields},
          {"metrics", kind.metrics},
          {"needs_pairs", kind.needs_pairs}};
}

Json translation_json(const models::Translation& t) {
  Json source = Json::array(), target = Json::array();
  for (const auto& token : t.source) source.push_back({{"text", token.text}, {"id", token.id}, {"known", token.known}});
  for (const auto& token : t.target) {
    Json best = Json::array();
    for (const auto& c : token.best) best.push_back({{"text", c.text}, {"probability", c.probability}});
    target.push_back({{"text", token.text}, {"probability", token.probability}, {"best", best}});
  }
  Json out = {{"source", source}, {"cut", t.cut}, {"target", target}, {"text", t.text}, {"ended", t.ended}};
  for (const auto& step : t.tree) {
    Json words = Json::array();
    for (const models::Branch& b : step)
      words.push_back({{"parent", b.word.parent},
                       {"text", b.text},
                       {"log_p", b.word.log_p},
                       {"total", b.word.total},
                       {"score", b.word.score},
                       {"chance", b.word.chance},
                       {"kept", b.word.kept},
                       {"ended", b.word.ended}});
    out["tree"].push_back(std::move(words));
  }
  for (const models::Hypothesis& h : t.hypotheses)
    out["hypotheses"].push_back({{"text", h.text}, {"log_p", h.log_p}, {"score", h.score}, {"ended", h.ended}});
  return out;
}

Edits read_edits(const Json& request) {
  Edits out;
  if (!request.contains("edits")) return out;
  for (const Json& e : request["edits"]) {
    Edit edit;
    if (e.contains("values")) edit.values = e.at("values").get<std::vector<float>>();
    if (e.contains("cell")) edit.cell = e.at("cell").get<Cell>();
    if (e.contains("value")) edit.value = e.at("value").get<float>();
    if (e.contains("time")) edit.turn = e.at("time").get<int>();
    if (edit.values.empty() && !e.contains("value"))
      throw ConfigError("edit: a value and its cell, or all values, are needed");
    out.emplace(e.at("step").get<std::string>(), std::move(edit));
  }
  return out;
}

void refuse_unknown_edits(const Edits& edits, const std::vector<Step>& steps) {
  for (const auto& edit : edits)
    if (std::ranges::find(steps, edit.first, &Step::name) == steps.end())
      throw ConfigError("edit: this run has no step \"" + edit.first + "\"");
}

}  // namespace

Reply Engine::call(const std::string& verb, const Json& request, std::string_view bytes) {
  using Handler = Reply (Engine::*)(const Json&, std::string_view);
  static const std::map<std::string, Handler> kVerbs = {
      {"describe", &Engine::describe}, {"open", &Engine::open},   {"run", &Engine::run},   {"derive", &Engine::derive},
      {"explain", &Engine::explain},   {"train", &Engine::train}, {"save", &Engine::save}, {"load", &Engine::load},
      {"close", &Engine::close},       {"gpu", &Engine::gpu}};
  const auto handler = kVerbs.find(verb);
  if (handler == kVerbs.end()) throw ConfigError("there is no verb \"" + verb + "\"");
  try {
    Reply reply = (this->*handler->second)(request, bytes);
    if (const std::size_t faults = kernels::gpu::fault_count(); faults > 0) reply.head["gpu_faults"] = faults;
    return reply;
  } catch (const Json::exception& e) {  // a field that is missing or of another type
    throw ConfigError(verb + ": " + e.what());
  }
}

Reply Engine::describe(const Json&, std::string_view) {
  Json models = Json::array();
  for (const models::Kind& k : kinds()) models.push_back(describe_kind(k));
  return {{{"version", ATTN_VERSION}, {"variant", variant_}, {"models", models}}, {}, {}};
}

Reply Engine::open(const Json& request, std::string_view bytes) {
  if (sessions_.size() == kMaxSessions)
    throw ConfigError("open: " + std::to_string(kMaxSessions) + " sessions are open; close one");
  auto session =
      std::make_unique<Session>(kind(request.at("model").get<std::string>()), request.value("config", Json::object()),
                                request.value("data", Json::object()), bytes);
  Json head = session->opened();
  head["session"] = next_id_;
  sessions_[next_id_++] = std::move(session);
  return {head, {}, {}};
}

Session& Engine::session(const Json& request) {
  const int id = request.at("session").get<int>();
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) throw ConfigError("session " + std::to_string(id) + " is not open");
  return *found->second;
}

Engine::Run& Engine::find_run(const Json& request) {
  const int id = request.at("run").get<int>();
  const auto found = runs_.find(id);
  if (found == runs_.end()) throw ConfigError("run " + std::to_string(id) + " is closed");
  return *found->second;
}

int Engine::keep(std::unique_ptr<Run> run) {
  if (runs_.size() == kMaxRuns) runs_.erase(runs_.begin());
  runs_[next_id_] = std::move(run);
  return next_id_++;
}

void Engine::compute(Run& run, Session& session, const Json& request) {
  FieldReader reader(request.value("inputs", Json::object()), std::string("inputs of ") + session.kind().name);
  session.model().inputs(reader);
  reader.finish();
  if (!request.contains("at")) {
    run.result = session.model().run(*run.graph);
    return;
  }
  if (session.trainer() == nullptr)
    throw ConfigError("run: nothing has been trained yet, so there is no earlier moment");
  const auto then = session.trainer()->moments().view(request["at"].get<double>());
  run.result = session.model().run(*run.graph);
}

void Engine::start_backward(Run& run, const Json& request) {
  if (!request.contains("from")) {
    if (!run.result.loss) throw ConfigError("run: this run has no loss; name a step and a cell to start from");
    return run.graph->backward(*run.result.loss);
  }
  const auto [node, cell] = locate(run.steps, *run.graph, request["from"]);
  run.graph->backward(Var(run.graph->nodes()[static_cast<std::size_t>(node->id)]), 1.0F, cell);
}

void Engine::append_step(Reply& reply, const Run& run, const Step& step, bool gradients) {
  std::vector<int> nodes;
  for (const Node* node : step.nodes) nodes.push_back(node->id);
  Json head = {{"name", step.name},
               {"op", op_name(*run.graph, *step.nodes[0])},
               {"nodes", nodes},
               {"axes", axes_json(step.name, step.axes(), step.shape(), run.result)},
               {"offset", reply.data.size()}};
  head.update(origin_json(*run.graph, *step.nodes.back()));
  step.append_values(reply.data);
  if (step.has_mask()) {
    head["mask_offset"] = reply.data.size();
    step.append_mask(reply.data);
  }
  if (step.edited()) head["edited"] = true;
  if (gradients && step.has_gradient()) {
    head["gradient_offset"] = reply.data.size();
    step.append_gradients(reply.data);
  }
  reply.head["steps"].push_back(std::move(head));
}

Reply Engine::run(const Json& request, std::string_view) {
  Session& session = this->session(request);
  const auto want = request.value("want", std::vector<std::string>());
  const bool update = request.value("update", false);
  const bool gradients = update || request.value("gradients", false);
  auto run = std::make_unique<Run>();
  run->session = request["session"].get<int>();
  run->edits = read_edits(request);
  const bool recording = !want.empty() || gradients || !run->edits.empty();
  run->graph = std::make_unique<Graph>(Graph::Options{.record = recording ? Record::everything : Record::nothing,
                                                      .edits = run->edits.empty() ? nullptr : &run->edits});
  compute(*run, session, request);
  run->steps = steps_of(*run->graph);
  if (gradients) start_backward(*run, request);
  if (update) {
    session.record_update(*run->graph, request.contains("at"));
    run->steps = steps_of(*run->graph);
  }
  refuse_unknown_edits(run->edits, run->steps);

  Reply reply;
  reply.head["steps"] = Json::array();
  for (const Step& step : run->steps)
    if (wanted(step.name, want)) append_step(reply, *run, step, gradients);
  if (run->result.translation) reply.head["translation"] = translation_json(*run->result.translation);
  if (run->result.loss) reply.head["loss"] = run->result.loss->value().item();
  if (!run->result.metrics.empty()) reply.head["metrics"] = run->result.metrics;
  reply.head["run"] = keep(std::move(run));
  return reply;
}

Reply Engine::explain(const Json& request, std::string_view) {
  Run& run = find_run(request);
  const auto [node, cell] = locate(run.steps, *run.graph, request);
  Json out = explanation_json(*run.graph, *node, cell, request.value("gradient", false), run.result);
  if (request.contains("guess"))
    out["guess"] = marked(request["guess"].get<std::string>(), out["stored"].get<double>());
  return {std::move(out), {}, {}};
}

Reply Engine::derive(const Json& request, std::string_view) {
  Run& run = find_run(request);
  if (!run.graph->recording()) throw ConfigError("derive: this run recorded nothing; ask for steps with `want`");
  Reply reply;
  reply.head["steps"] = Json::array();
  for (const Json& what : request.at("what")) {
    const bool elsewhere = what.contains("minus") && what["minus"].contains("run");
    const std::vector<Step>* other = elsewhere ? &find_run(what["minus"]).steps : nullptr;
    const Step step = engine::derive(*run.graph, run.steps, what, other);
    label_derived(step, run.steps, what, run.result);
    append_step(reply, run, step, false);
  }
  return reply;
}

Reply Engine::train(const Json& request, std::string_view) {
  const double budget = request.at("budget_ms").get<double>();
  if (!(budget >= 0.0 && budget <= 60000.0)) throw ConfigError("train: budget_ms is a number from 0 to 60000");
  return {session(request).train(budget), {}, {}};
}

Reply Engine::save(const Json& request, std::string_view) {
  Reply reply;
  Session& source = session(request);
  reply.bytes = request.value("checkpoint", false) ? source.save_checkpoint() : source.save();
  reply.head = {{"size", reply.bytes.size()}};
  return reply;
}

Reply Engine::load(const Json& request, std::string_view bytes) {
  Session& target = session(request);
  const bool checkpoint = request.value("checkpoint", false);
  checkpoint ? target.load_checkpoint(bytes) : target.load(bytes);
  Reply reply{target.opened(), {}, {}};
  reply.head["session"] = request["session"];
  if (checkpoint) reply.head["progress"] = target.progress();
  return reply;
}

Reply Engine::close(const Json& request, std::string_view) {
  if (request.contains("run")) runs_.erase(request["run"].get<int>());
  if (request.contains("session")) {
    const int id = request["session"].get<int>();
    std::erase_if(runs_,
                  [id](const auto& entry) { return entry.second->session == id; });  // their graphs read its parameters
    sessions_.erase(id);
  }
  return {Json::object(), {}, {}};
}

Reply Engine::gpu(const Json& request, std::string_view) { return {gpu_reply(request), {}, {}}; }

}  // namespace attn::engine
