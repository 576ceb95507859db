#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/session.hpp"
#include "engine/steps.hpp"

namespace attn::engine {

/// A reply: JSON, and where the verb says so a flat buffer of float32 or the bytes of a file.
struct Reply {
  Json head;
  std::vector<float> data;
  std::string bytes;
};

/// The verbs, the same for every model and lab. What they take and give stands in web/src/shared/engine.ts.
class Engine {
 public:
  explicit Engine(std::string variant) : variant_(std::move(variant)) {}

  /// Throws Error; what was there before the call stays as it was.
  Reply call(const std::string& verb, const Json& request, std::string_view bytes = {});

 private:
  struct Run {
    int session;
    Edits edits;
    std::unique_ptr<Graph> graph;
    models::Result result;
    std::vector<Step> steps;
  };

  Reply describe(const Json&, std::string_view);
  Reply open(const Json& request, std::string_view bytes);
  Reply run(const Json& request, std::string_view);
  Reply derive(const Json& request, std::string_view);
  Reply explain(const Json& request, std::string_view);
  Reply train(const Json& request, std::string_view);
  Reply save(const Json& request, std::string_view);
  Reply load(const Json& request, std::string_view bytes);
  Reply close(const Json& request, std::string_view);
  Reply gpu(const Json& request, std::string_view);

  Session& session(const Json& request);
  Run& find_run(const Json& request);
  void compute(Run& run, Session& session, const Json& request);
  static void append_step(Reply& reply, const Run& run, const Step& step, bool gradients);
  void start_backward(Run& run, const Json& request);
  int keep(std::unique_ptr<Run> run);

  std::string variant_;
  int next_id_ = 1;
  std::map<int, std::unique_ptr<Session>> sessions_;
  std::map<int, std::unique_ptr<Run>> runs_;
};

}  // namespace attn::engine
