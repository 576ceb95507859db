#pragma once

#include "engine/json.hpp"
#include "engine/model_file.hpp"
#include "models/model.hpp"

namespace attn::engine {

struct Checkpoint;

/// An opened model with its training.
class Session {
 public:
  /// `weights`: bytes of a model file, or empty. Throws ConfigError, DataError; nothing is kept of a failed opening.
  Session(const models::Kind& kind, const Json& config, const Json& data, std::string_view weights);

  Json opened();
  const models::Kind& kind() const { return kind_; }
  models::Model& model() { return *model_; }
  /// Null before the first call of train().
  train::Trainer* trainer() { return trainer_.get(); }

  /// How far training is, as the `Progress` of web/src/shared/engine.ts.
  Json progress();
  Json train(double budget_ms);
  /// What the next step of training would do with the gradients in the graph, as nodes of it. Throws ConfigError if the model
  /// does not learn, or the graph shows an earlier moment whose memory the optimiser no longer has.
  void record_update(Graph& graph, bool earlier);
  std::string save();
  /// Replaces all weights, or none if the file is refused.
  void load(std::string_view weights);

  /// What training needs besides the weights to go on. Throws ConfigError if this model does not learn or has diverged.
  std::string save_checkpoint();
  /// Training goes on from there, in a session opened with the same config (epochs may differ), data and weights. Throws
  /// DataError naming what differs; then nothing is changed.
  void load_checkpoint(std::string_view bytes);

 private:
  train::Trainer& trained();  // made by the first that asks
  std::unique_ptr<train::Trainer> new_trainer();
  Json config();
  std::string weights_checksum();
  std::string data_checksum();
  void check_same_run(const Checkpoint& checkpoint);
  void assign(const ModelFile& file);

  const models::Kind& kind_;
  std::unique_ptr<models::Model> model_;
  std::unique_ptr<train::Trainer> trainer_;
};

}  // namespace attn::engine
