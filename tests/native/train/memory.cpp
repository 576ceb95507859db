#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "support/allocations.hpp"
#include "support/open.hpp"
#include "tensor/recycled.hpp"
#include "tensor/storage.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// `count` pairs of two to four words out of eight: nearly every batch has the longest, as the chapter's batches do.
std::string pairs_text(std::size_t count) {
  static constexpr const char* kWords[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  Rng rng(11);
  const auto sentence = [&] {
    std::string out = kWords[rng.below(8)];
    for (std::size_t i = 1 + rng.below(3); i > 0; --i) out += std::string(" ") + kWords[rng.below(8)];
    return out;
  };
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += sentence() + "\t" + sentence() + "\n";
  return out;
}

/// A translator in training, in an epoch that is longer than the test: what an epoch leaves in the history is a result.
struct Training {
  std::unique_ptr<models::Model> model;
  std::unique_ptr<train::Trainer> trainer;

  Training(const char* name, const std::string& pairs, std::size_t batch)
      : model(
            open_model(name, {{"hidden_size", 8}, {"batch_size", batch}, {"epochs", 1}, {"min_frequency", 1}}, pairs)) {
    trainer = std::make_unique<train::Trainer>(*model->task(), model->parameters(),
                                               model->optimizer(model->parameters()), model->settings());
  }
  void steps(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) trainer->advance(0.0);
  }
};

}  // namespace

TEST_CASE("training: after the first 50 steps, 2,000 more ask nothing of the system") {
  constexpr std::size_t kBatch = 32;
  const std::string pairs = pairs_text(kBatch * 2100);
  for (const char* name : {"seq2seq", "bahdanau", "transformer"}) {
    INFO(std::string(name));
    Training training(name, pairs, kBatch);
    training.steps(50);
    const std::size_t calls = allocations(), tensors = pool_bytes(), nodes = recycled_bytes();
    training.steps(2000);
    CHECK(allocations() - calls == 0);
    CHECK(pool_bytes() - tensors == 0);
    CHECK(recycled_bytes() - nodes == 0);
    CHECK(training.trainer->progress().state == train::Progress::State::training);
  }
}
