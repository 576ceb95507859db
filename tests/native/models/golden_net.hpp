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

/// "seq2seq" or "bahdanau" in "correct" or "book" mode, as tests/parity/goldens/models/<name>.json has it.
struct GoldenNet {
  Json golden;
  const Json& expected;  // of the mode
  bool book;
  Batch batch;
  std::unique_ptr<models::TranslationNet> net;
  train::Parameters parameters;

  GoldenNet(const std::string& name, const std::string& mode);
  std::size_t steps() const { return batch.target_in.size(1); }

  models::Decoding start(Graph& graph);
  /// Teacher-forced logits [B, T, V] and the loss of the mode.
  struct Forward {
    Var logits, loss;
  };
  Forward forward(Graph& graph);
};

/// f(name, mode) for both networks in both modes.
template <class F>
void for_each_net(F&& f) {
  for (const std::string name : {"seq2seq", "bahdanau"})
    for (const std::string mode : {"correct", "book"}) f(name, mode);
}

}  // namespace attn::test
