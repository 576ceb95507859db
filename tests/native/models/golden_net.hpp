// A network with the weights of a golden, and what PyTorch made of them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "models/translation_net.hpp"
#include "nn/module.hpp"
#include "support/golden.hpp"
#include "train/optimizer.hpp"

namespace attn::test {

using Visit = std::function<void(const nn::Visitor&)>;

/// Gives the parameters the golden's values. Checks that their names and shapes are just those of the PyTorch module.
train::Parameters load(const Visit& visit, const Json& weights);

struct Batch {
  Tensor source, source_lengths, target_in, target_out;
  Tensor mask;  // [B, T]: 1 on words
  double words = 0.0;
  explicit Batch(const Json& json);
};

/// "seq2seq", "bahdanau" or "transformer" in "correct" or "book" mode, as tests/parity/goldens/models/<name>.json has it.
struct GoldenNet {
  std::string name;
  Json golden;
  const Json& expected;  // of the mode
  bool book;
  Batch batch;
  std::unique_ptr<models::TranslationNet> net;
  train::Parameters parameters;

  GoldenNet(const std::string& name, const std::string& mode);
  /// A form of the Transformer from transformer_forms.json.
  explicit GoldenNet(const std::string& form);
  std::size_t steps() const { return batch.target_in.size(1); }

  models::Decoding start(Graph& graph);
  /// What teacher-forced logits are in a graph: outside training the book's Transformer sees ahead (B13).
  Tensor expected_logits(const Graph& graph) const;
  /// Teacher-forced logits [B, T, V] and the loss of the mode.
  struct Forward {
    Var logits, loss;
  };
  Forward forward(Graph& graph);

 private:
  GoldenNet(const std::string& name, const std::string& mode, Json golden);
};

/// f(name, mode) for the networks in both modes.
template <class F>
void for_each_net(F&& f, std::initializer_list<const char*> names = {"seq2seq", "bahdanau", "transformer"}) {
  for (const std::string name : names)
    for (const std::string mode : {"correct", "book"}) f(name, mode);
}

/// The names in transformer_forms.json.
std::vector<std::string> transformer_forms();

/// The largest error, in units of the largest expected number: gradients are small, and 1 % of them must show.
double scaled_error(const Tensor& got, const Tensor& want);

/// Checks an error against its tolerance and keeps it under the topic (see support/compare.hpp).
void check_error(const std::string& topic, const std::string& where, double error, double tolerance);

}  // namespace attn::test
