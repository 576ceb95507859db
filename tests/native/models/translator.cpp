#include <doctest/doctest.h>

#include <cmath>

#include "engine/registry.hpp"
#include "models/golden_net.hpp"
#include "support/compare.hpp"
#include "support/explained.hpp"
#include "support/open.hpp"

using namespace attn;
using namespace attn::test;

namespace {

// Along twenty Adam steps; measured: 1.4e-6 natively, 1.6e-6 as WebAssembly, norms of the Transformer's.
constexpr double kAfterSteps = 2e-5;

/// The golden's config, with every switch of the book's faults where its numbers are the book's.
engine::Json config_of(const std::string& name, engine::Json config, bool book) {
  config["dropout"] = 0.0;
  engine::FieldDescriber fields;
  engine::kind(name).describe()->config(fields);
  for (const auto& field : fields.fields)
    if (const std::string key = field["name"]; key.starts_with("book_")) config[key] = book;
  return config;
}

/// A translator on the golden's pairs, with the golden's weights.
struct GoldenTranslator {
  Json golden;
  const Json& expected;
  std::unique_ptr<models::Model> model;

  GoldenTranslator(const std::string& name, const std::string& mode)
      : golden(test::golden("models/" + name + "_training.json")),
        expected(golden.at(mode)) {
    model =
        open_model(name, config_of(name, golden.at("config"), mode == "book"), golden.at("pairs").get<std::string>());
    load([this](const nn::Visitor& f) { model->visit(f); }, golden.at("weights"));
  }

  train::Trainer trainer() {
    const train::Parameters parameters = model->parameters();
    return {*model->task(), parameters, model->optimizer(parameters), model->settings()};
  }
};

void check_close(const std::string& topic, const std::string& where, double got, double want, double tolerance) {
  INFO(where, ", ", topic, ": ", got, ", expected ", want);
  CHECK(std::abs(got - want) <= tolerance * std::abs(want));
  measured(topic, std::abs(got - want) / std::abs(want), where);
}

}  // namespace

TEST_CASE("translator: the vocabularies of a file of pairs are those of the book's rules") {
  for_each_net([](const std::string& name, const std::string& mode) {
    const GoldenTranslator t(name, mode);
    CHECK(t.model->vocabularies()->source.words() == t.golden.at("source_words").get<std::vector<std::string>>());
    CHECK(t.model->vocabularies()->target.words() == t.golden.at("target_words").get<std::vector<std::string>>());
  });
}

TEST_CASE("translator: trained on a file of pairs, it reports PyTorch's losses and gradient norms for twenty epochs") {
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenTranslator t(name, mode);
    train::Trainer trainer = t.trainer();
    const std::size_t epochs = t.expected.at("norms").size();
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
      const train::Progress& progress = trainer.advance(0.0);  // one batch, which holds all pairs
      const std::string where = name + " " + mode + " epoch " + std::to_string(epoch);
      REQUIRE(progress.history.size() == epoch + 1);
      for (const std::string metric : {"loss_per_token", "book_loss"})
        check_close("translator losses of twenty epochs", where, progress.history.back().at(metric),
                    t.expected.at(metric).at(epoch).get<double>(), kAfterSteps);
      check_close("translator gradient norms", where, progress.gradient_norm,
                  t.expected.at("norms").at(epoch).get<double>(), kAfterSteps);
    }
    CHECK(trainer.progress().state == train::Progress::State::done);
  });
}

TEST_CASE("translator: every number of a recorded translation is explained, and so is its loss with a given target") {
  for_each_net([](const std::string& name, const std::string& mode) {
    GoldenTranslator t(name, mode);
    set_inputs(*t.model, {{"sentence", "I am at home."}, {"target", "Je suis chez moi."}});
    Graph graph({});
    const models::Result result = t.model->run(graph);
    REQUIRE(result.loss);
    graph.backward(*result.loss);
    check_values_explained(graph, 3, "net explanations of values", name + " " + mode + " translator");
    check_gradients_explained(graph, 3, "net explanations of gradients", name + " " + mode + " translator");
  });
}
