#pragma once

#include "engine/json.hpp"
#include "engine/model_file.hpp"
#include "models/model.hpp"

namespace attn::engine {

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

  Json train(double budget_ms);
  std::string save();
  /// Replaces all weights, or none if the file is refused.
  void load(std::string_view weights);

 private:
  void assign(const ModelFile& file);

  const models::Kind& kind_;
  std::unique_ptr<models::Model> model_;
  std::unique_ptr<train::Trainer> trainer_;
};

}  // namespace attn::engine
