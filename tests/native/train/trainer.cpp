#include "train/trainer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/kernel_regression.hpp"
#include "support/golden.hpp"
#include "support/open.hpp"

using namespace attn;
using namespace attn::train;

namespace {

const char* kPairs = "Go.\tVa !\nI lost.\tJ'ai perdu.\nI'm home.\tJe suis chez moi.\nRun!\tCours !\nWait!\tAttends !\n";

struct Small {
  std::unique_ptr<models::Model> model;
  std::unique_ptr<Trainer> trainer;

  explicit Small(double rate = 0.01, int epochs = 3)
      : model(test::open_model("bahdanau",
                               {{"embed_size", 8},
                                {"hidden_size", 8},
                                {"min_frequency", 1},
                                {"batch_size", 2},
                                {"epochs", epochs},
                                {"learning_rate", rate}},
                               kPairs)) {
    trainer = std::make_unique<Trainer>(*model->task(), model->parameters(), model->optimizer(model->parameters()),
                                        model->settings());
  }
  std::vector<float> weights() const {
    std::vector<float> out;
    for (const Parameter* p : model->parameters())
      out.insert(out.end(), p->value.values().begin(), p->value.values().end());
    return out;
  }
};

}  // namespace

TEST_CASE("trainer: slices of one batch and one long slice end at the same weights, bit for bit") {
  Small sliced, whole;
  while (sliced.trainer->advance(0.0).state == Progress::State::training) {
  }
  whole.trainer->advance(1e9);
  CHECK(whole.trainer->progress().state == Progress::State::done);
  CHECK(whole.trainer->progress().history.size() == 3);
  CHECK(sliced.weights() == whole.weights());
}

TEST_CASE("trainer: a slice takes at least one batch and never goes past the last epoch") {
  Small small;
  CHECK(small.trainer->advance(0.0).batch == 1);
  small.trainer->advance(1e9);
  CHECK(small.trainer->progress().epoch == 3);
  const auto weights = small.weights();
  small.trainer->advance(1e9);
  CHECK(small.trainer->progress().epoch == 3);
  CHECK(small.weights() == weights);
}

TEST_CASE("trainer: looking at the model between slices does not change what it learns") {
  Small looked, alone;
  while (looked.trainer->advance(0.0).state == Progress::State::training) {
    Graph graph({.record = Record::everything});
    const models::Result result = looked.model->run(graph);
    CHECK(result.translation.has_value());
  }
  alone.trainer->advance(1e9);
  CHECK(looked.weights() == alone.weights());
}

TEST_CASE("trainer: the loss falls") {
  Small small(0.01, 40);
  const auto& history = small.trainer->advance(1e9).history;
  CHECK(history.back().at("loss_per_token") < 0.3 * history.front().at("loss_per_token"));
}

TEST_CASE("trainer: a weight that is not finite ends the run as diverged, says where, and leaves the weights") {
  Small small;
  small.trainer->advance(0.0);
  small.model->parameters().back()->value.mutable_values()[0] = INFINITY;  // a bias of the vocabulary
  const auto before = small.weights();
  while (small.trainer->advance(0.0).state == Progress::State::training) {
  }
  CHECK(small.trainer->progress().state == Progress::State::diverged);
  CHECK(small.trainer->progress().message.find("learning rate") != std::string::npos);
  CHECK(before.size() == small.weights().size());
  CHECK(std::isfinite(small.weights()[0]));
}

TEST_CASE("moments: a view shows the weights of then, and the present ones come back") {
  Small small;
  const auto first = small.weights();
  small.trainer->advance(1e9);
  const auto last = small.weights();
  REQUIRE(first != last);
  {
    const auto view = small.trainer->moments().view(0.0);
    CHECK(small.weights() == first);
  }
  CHECK(small.weights() == last);
}

TEST_CASE("moments: between 32 and 64 are kept of a long run, evenly spaced, the first one always") {
  Parameter p;
  p.value = Tensor::full({1}, 0.0F);
  Moments moments({&p});
  for (int i = 0; i < 1000; ++i) {
    p.value.mutable_values()[0] = static_cast<float>(i);
    moments.offer(i);
  }
  const auto& epochs = moments.epochs();
  CHECK(epochs.size() >= 32);
  CHECK(epochs.size() <= 64);
  CHECK(epochs.front() == 0.0);
  for (std::size_t i = 2; i < epochs.size(); ++i) CHECK(epochs[i] - epochs[i - 1] == epochs[1] - epochs[0]);
  const auto view = moments.view(epochs[7]);
  CHECK(p.value.values()[0] == static_cast<float>(epochs[7]));
}

TEST_CASE("moments: of a large model fewer are kept, so that all together stay small") {
  CHECK(Moments::most(1) == 64);
  CHECK(Moments::most(1'000'000) == 50);
  CHECK(Moments::most(20'000'000) == 4);
  CHECK(Moments::most(0) == 64);
}

TEST_CASE("training: after the first steps the pool asks nothing more of the system") {
  Small small(0.01, 200);
  while (small.trainer->progress().epoch < 50) small.trainer->advance(0.0);
  const std::size_t bytes = pool_bytes();
  small.trainer->advance(1e9);
  CHECK(pool_bytes() == bytes);
}
